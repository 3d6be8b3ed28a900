package dev.parley.application.gateway;

import dev.parley.application.lane.FollowUps;
import dev.parley.application.port.Agent;
import dev.parley.application.port.AgentQuestion;
import dev.parley.application.port.AgentRun;
import dev.parley.application.port.AnswerListener;
import dev.parley.domain.reset.ResetReason;
import dev.parley.domain.session.SessionId;
import dev.parley.domain.session.Standing;
import dev.parley.domain.source.SessionSource;
import dev.parley.domain.transcript.Message;
import dev.parley.domain.transcript.MessageId;
import dev.parley.domain.turn.Inbound;
import dev.parley.domain.turn.Turn;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** A lane's claimed turn while this process runs it. Touched only by the lane's desk, except {@link #superseded}. */
final class TurnRun {
    /** How far a run has come. */
    enum Phase {
        /** Claimed; the agent has not begun. */
        STARTING,
        /** The agent runs. */
        RUNNING,
        /** Its end is stored or being stored; its answer is being delivered. */
        ENDING
    }

    /** Why an agent was asked to stop. */
    enum Cause {
        FOLLOW_UP,
        OPERATOR,
        TIMEOUT,
        DRAIN
    }

    Turn turn;
    final FollowUps.Item item;
    final List<AnswerListener> listeners;
    final SessionSource source;
    final Optional<ResetReason> autoReset;
    final Message input;

    /** The mark to be resumed that this run saw; a success clears it and no other. */
    final Optional<Standing.ResumePending> mark;

    /** Messages that this run has stored, its input first. */
    final List<MessageId> stored = new ArrayList<>();

    /** Input that the agent took while running and that is not stored yet. */
    final List<Inbound> steered = new ArrayList<>();

    /** Answers to the agent's questions that it took and that are not stored yet. */
    final List<Inbound> answers = new ArrayList<>();

    /** What the agent has asked and waits for. */
    Optional<AgentQuestion> question = Optional.empty();

    /** How many messages the session had before this run; negative where that is not known. */
    int messages = -1;

    Phase phase = Phase.STARTING;
    Optional<Cause> interrupted = Optional.empty();
    Instant lastEvent;
    boolean claimed;
    final AtomicReference<@Nullable Agent> agent = new AtomicReference<>();

    @Nullable
    AgentRun agentRun;

    @Nullable
    TurnWatch watch;

    volatile boolean superseded;

    TurnRun(
            Turn turn,
            FollowUps.Item item,
            List<AnswerListener> listeners,
            SessionSource source,
            Optional<ResetReason> autoReset,
            Message input,
            Optional<Standing.ResumePending> mark) {
        this.turn = turn;
        this.item = item;
        this.listeners = List.copyOf(listeners);
        this.source = source;
        this.autoReset = autoReset;
        this.input = input;
        this.mark = mark;
        this.lastEvent = turn.startedAt();
        stored.add(input.id());
    }

    SessionId session() {
        return turn.session();
    }

    /** Returns the user's text as it is stored. */
    String text() {
        return input.content().plainText();
    }

    /** Returns the admitted messages that the agent holds. */
    List<Inbound> taken() {
        List<Inbound> all = new ArrayList<>(answers);
        all.addAll(steered);
        return all;
    }

    boolean isActive() {
        return phase != Phase.ENDING;
    }

    void stopWatching() {
        if (watch != null) {
            watch.stop();
            watch = null;
        }
    }
}
