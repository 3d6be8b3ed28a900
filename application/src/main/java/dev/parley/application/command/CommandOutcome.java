package dev.parley.application.command;

import dev.parley.application.port.AgentQuestion;
import dev.parley.application.store.Transition;
import dev.parley.domain.change.Change;
import dev.parley.domain.change.Precondition;
import dev.parley.domain.source.SessionSource;
import dev.parley.domain.transcript.Message;
import dev.parley.domain.turn.Inbound;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiFunction;

/**
 * What a command does. Its changes, its reply and the id of the message that carried it are stored in one batch (commit rule 3),
 * on the precondition that the lane's epoch is the one the command saw; then the effects happen. Lines of history among the
 * changes are told as transitions.
 *
 * @param reply what is answered; empty for nothing
 * @param preconditions what must hold besides
 * @param changes what is stored
 * @param effects what happens to the lane's turn, queue and agent
 * @param enqueue input that the lane then runs; absent for none
 * @param decision what the running agent is told that asked for an approval; absent for nothing
 * @param summarise a summary that is asked of the lane's agent; absent for none
 */
public record CommandOutcome(
        String reply,
        List<Precondition> preconditions,
        List<Change> changes,
        Set<Effect> effects,
        Optional<Enqueue> enqueue,
        Optional<AgentQuestion.Decision> decision,
        Optional<Summarise> summarise) {

    public CommandOutcome {
        preconditions = List.copyOf(preconditions);
        changes = List.copyOf(changes);
        effects = Set.copyOf(effects);
    }

    /** What happens to the lane besides what is stored. */
    public enum Effect {
        /** The running turn is dropped, in the same batch, and its agent interrupted; what it still reports is discarded. */
        DROP_TURN,
        /** Everything that waits in the lane's queue is dropped, in the same batch. */
        CLEAR_QUEUE,
        /** The lane's agent lets go of its connections; the session may continue with another one (A11.8). */
        RELEASE_AGENT,
        /** The lane's agent is closed, because its session is over (A11.8). */
        CLOSE_AGENT,
        /** The tasks of the others in the same thread are stopped (Z12.2). */
        STOP_BESIDE,
        /** The gateway restarts. */
        RESTART
    }

    /**
     * Input that the lane runs as if it had been sent.
     *
     * @param kind {@link Inbound.Kind#MESSAGE}, {@link Inbound.Kind#QUEUED}, {@link Inbound.Kind#RETRIED}, or {@link Inbound.Kind#STEER} for input that is handed to the
     *     running agent
     * @param text its text
     * @param keepAttachments whether what came with the command goes along
     * @param source the author of the input; absent for the sender of the command
     */
    public record Enqueue(Inbound.Kind kind, String text, boolean keepAttachments, Optional<SessionSource> source) {
        /** What people are told whose input waits. */
        public static final String WAITS = "Queued for the next turn.";

        /** Input of the sender of the command. */
        public Enqueue(Inbound.Kind kind, String text, boolean keepAttachments) {
            this(kind, text, keepAttachments, Optional.empty());
        }
    }

    /**
     * A summary that is asked of the lane's agent. Until it is there the lane counts as busy; the message that carried the
     * command stays admitted, so that a crash runs the command again.
     *
     * @param history what is summarised
     * @param focus what the summary should keep above all
     * @param then what happens with the summary, given fresh facts; must not ask for another one
     * @param otherwise what happens without a summary, given why
     */
    public record Summarise(
            List<Message> history,
            Optional<String> focus,
            BiFunction<CommandContext, String, CommandOutcome> then,
            BiFunction<CommandContext, String, CommandOutcome> otherwise) {
        public Summarise {
            history = List.copyOf(history);
        }
    }

    /** Returns an outcome that only answers. */
    public static CommandOutcome reply(String text) {
        return new CommandOutcome(
                text, List.of(), List.of(), Set.of(), Optional.empty(), Optional.empty(), Optional.empty());
    }

    /** Returns this with changes added. */
    public CommandOutcome storing(Change... more) {
        return storing(List.of(more));
    }

    /** Returns this with changes added. */
    public CommandOutcome storing(List<? extends Change> more) {
        List<Change> all = new ArrayList<>(changes);
        all.addAll(more);
        return new CommandOutcome(reply, preconditions, all, effects, enqueue, decision, summarise);
    }

    /** Returns this with a transition of the lane. */
    public CommandOutcome applying(Transition transition) {
        return storing(transition.changes())
                .requiring(transition.preconditions().toArray(Precondition[]::new));
    }

    /** Returns this with another answer. */
    public CommandOutcome replying(String text) {
        return new CommandOutcome(text, preconditions, changes, effects, enqueue, decision, summarise);
    }

    /** Returns this with preconditions added. */
    public CommandOutcome requiring(Precondition... more) {
        List<Precondition> all = new ArrayList<>(preconditions);
        all.addAll(List.of(more));
        return new CommandOutcome(reply, all, changes, effects, enqueue, decision, summarise);
    }

    /** Returns this with effects added. */
    public CommandOutcome with(Effect... more) {
        Set<Effect> all = EnumSet.noneOf(Effect.class);
        all.addAll(effects);
        all.addAll(List.of(more));
        return new CommandOutcome(reply, preconditions, changes, all, enqueue, decision, summarise);
    }

    /** Returns this with input that the lane runs as an ordinary message. */
    public CommandOutcome runningAsTurn(String text) {
        return enqueueing(new Enqueue(Inbound.Kind.MESSAGE, text, true));
    }

    /** Returns this with input that the lane runs. */
    public CommandOutcome enqueueing(Enqueue input) {
        return new CommandOutcome(reply, preconditions, changes, effects, Optional.of(input), decision, summarise);
    }

    /** Returns this with a decision for the running agent. */
    public CommandOutcome deciding(AgentQuestion.Decision made) {
        return new CommandOutcome(reply, preconditions, changes, effects, enqueue, Optional.of(made), summarise);
    }

    /** Returns this with a summary asked for. */
    public CommandOutcome summarising(Summarise wanted) {
        return new CommandOutcome(reply, preconditions, changes, effects, enqueue, decision, Optional.of(wanted));
    }
}
