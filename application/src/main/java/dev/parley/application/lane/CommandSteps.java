package dev.parley.application.lane;

import dev.parley.application.command.CommandOutcome;
import dev.parley.application.port.GatewayEvent;
import dev.parley.application.port.Receipt;
import dev.parley.domain.change.Change;
import dev.parley.domain.change.LaneEvent;
import dev.parley.domain.change.Precondition;
import dev.parley.domain.key.SessionKey;
import dev.parley.domain.session.Lane;
import dev.parley.domain.transcript.StoredMessage;
import dev.parley.domain.turn.Inbound;
import dev.parley.domain.turn.InboundId;
import dev.parley.domain.turn.Outgoing;
import dev.parley.domain.turn.PlatformMessage;
import dev.parley.domain.turn.Turn;
import dev.parley.domain.turn.TurnReason;
import java.util.List;
import java.util.Optional;

/** What a command's outcome stores and does to its lane. Pure. */
final class CommandSteps {
    private static final String ONLY_REPLY = "Only a command's reply was due.";
    static final String LOST_RACE =
            "This could not be done because the conversation changed meanwhile. Please try again.";

    private static final String NOT_COMPRESSED =
            "The conversation is nearly too long for its model and could not be compressed. Its messages are answered all"
                    + " the same, and it is tried again later.";

    private CommandSteps() {}

    /** Where a command comes from. */
    enum Origin {
        /** Somebody has just written it. */
        ARRIVED,
        /** It waits in the queue: a crash cut it off, or its summary is there. */
        ADMITTED,
        /** It waits, and the lane gave it itself before its next turn. */
        OWN,
        /** Nobody in the lane wrote it. */
        ORDERED
    }

    /** Returns whether an outcome does no more than answer. */
    static boolean changesNothing(CommandOutcome outcome) {
        return outcome.changes().isEmpty() && outcome.summarise().isEmpty();
    }

    /** Returns whether an outcome makes a lane run that does not, so that it needs a place. */
    static boolean runsSomething(CommandOutcome outcome) {
        return outcome.enqueue().isPresent() || outcome.summarise().isPresent();
    }

    /**
     * Carries out what a command decided.
     *
     * @param command the message that carried it
     * @param name the command's name; absent where nobody wrote one
     * @param standstill why input does not run now; absent where it does
     */
    static LaneStep carryOut(
            LaneState state,
            CommandOutcome outcome,
            Inbound command,
            Optional<String> name,
            Origin origin,
            Optional<Standstill> standstill,
            Moment moment) {
        boolean summarises = outcome.summarise().isPresent();
        Inbound stored = command.in(summarises ? Inbound.State.ADMITTED : Inbound.State.DONE);
        LaneStep.Draft step = new LaneStep.Draft(state).require(outcome.preconditions());
        switch (origin) {
            case ARRIVED ->
                step.store(new Change.PutInbound(stored))
                        .after(s -> s.with(s.waiting().used(stored)))
                        .then(new Effect.Receive(new Receipt.Admitted(command.id(), moment.lane())));
            case ADMITTED, OWN ->
                step.require(new Precondition.StillAdmitted(command.id()))
                        .store(new Change.PutInbound(stored))
                        .after(s -> s.without(List.of(command)));
            case ORDERED -> step.then(new Effect.Answer(true));
        }
        Optional<TurnWork> dropped =
                state.slot().active().filter(turn -> outcome.effects().contains(CommandOutcome.Effect.DROP_TURN));
        boolean clears = outcome.effects().contains(CommandOutcome.Effect.CLEAR_QUEUE);
        if (!outcome.changes().isEmpty() || dropped.isPresent() || clears) {
            step.require(new Precondition.LaneEpoch(
                    moment.lane(), state.lane().map(Lane::epoch).orElse(Lane.ABSENT)));
        }
        dropped.ifPresent(turn -> dropTurn(step, turn, moment));
        List<Inbound> cleared = clears
                ? state.waiting().messages().stream()
                        .filter(i -> !i.id().equals(command.id()))
                        // One that waited drops nothing that was acknowledged behind it; what commands queued has a
                        // later place.
                        .filter(i -> origin != Origin.ADMITTED
                                || i.kind() == Inbound.Kind.QUEUED
                                || i.kind() == Inbound.Kind.RETRIED
                                || i.ordinal() < command.ordinal())
                        .toList()
                : List.of();
        cleared.forEach(i -> step.store(new Change.PutInbound(i.in(Inbound.State.DROPPED))));
        step.store(outcome.changes());
        name.filter(known -> !summarises)
                .ifPresent(known -> step.then(new Effect.Tell(new GatewayEvent.CommandRun(
                        moment.lane(), command.id(), known, outcome.changes().size()))));
        changed(step, outcome, moment.lane());
        if (outcome.effects().contains(CommandOutcome.Effect.DROP_TURN)
                && state.slot() instanceof TurnSlot.Summarising summarising) {
            step.after(s -> s.with(TurnSlot.free())).then(new Effect.Supersede("Stop requested"));
            if (!summarising.command().id().equals(command.id())) {
                step.then(new Effect.Close(List.of(summarising.command().id()), "The summary was stopped."));
            }
        }
        clear(step, state, cleared, moment);
        if (origin == Origin.OWN && changesNothing(outcome)) {
            state.lane()
                    .ifPresent(lane -> step.then(
                                    new Effect.NotCompressed(lane.entry().sessionId(), moment.now()))
                            .then(new Effect.Tell(new GatewayEvent.Trouble(
                                    Optional.of(moment.lane()), NOT_COMPRESSED, Optional.empty()))));
        }
        agent(step, outcome);
        renewed(step, state, outcome, moment);
        reply(step, outcome, command, origin, moment);
        enqueue(step, state, outcome, command, standstill, moment);
        outcome.summarise()
                .ifPresent(wanted ->
                        step.after(s -> s.with(s.waiting().with(stored))).then(new Effect.Summarise(wanted, stored)));
        outcome.decision().ifPresent(decision -> step.then(new Effect.Decide(decision, command.source())));
        if (outcome.effects().contains(CommandOutcome.Effect.STOP_BESIDE)) {
            step.then(new Effect.StopBeside(command.source()));
        }
        if (outcome.effects().contains(CommandOutcome.Effect.RESTART)) {
            step.then(new Effect.Restart());
        }
        return step.done();
    }

    private static void dropTurn(LaneStep.Draft step, TurnWork turn, Moment moment) {
        step.require(turn.claim())
                .store(new Change.PutTurn(turn.plan()
                        .turn()
                        .ended(Turn.State.DROPPED, moment.now())
                        .because(TurnReason.SUPERSEDED)));
        step.store(TurnRows.done(turn.plan(), turn.plan().parts()));
        turn.taken()
                .forEach(part -> step.store(new Change.PutInbound(part.in(Inbound.State.DROPPED)))
                        .then(new Effect.Tell(new GatewayEvent.Dropped(moment.lane(), "the task was stopped"))));
        step.after(s -> s.with(TurnSlot.free()))
                .then(new Effect.Supersede("Stop requested"))
                .then(new Effect.Close(turn.awaited(), "The turn was stopped."))
                .then(new Effect.Close(ids(turn.taken()), "The turn was stopped."));
    }

    /** What is stored of the lane is known where it is replaced, and read again where it is changed otherwise. */
    private static void changed(LaneStep.Draft step, CommandOutcome outcome, SessionKey lane) {
        Optional<Lane> put = outcome.changes().stream()
                .filter(Change.PutLane.class::isInstance)
                .map(c -> ((Change.PutLane) c).lane())
                .reduce((first, second) -> second);
        if (put.isPresent()) {
            step.after(s -> s.with(put));
        } else if (outcome.changes().stream()
                .anyMatch(c -> c instanceof Change.TouchLane || c instanceof Change.RemoveLane)) {
            step.then(new Effect.Reload());
        }
        Histories.told(outcome.changes()).forEach(step::then);
        compressed(step, outcome, lane);
    }

    private static void compressed(LaneStep.Draft step, CommandOutcome outcome, SessionKey lane) {
        for (Change change : outcome.changes()) {
            if (change instanceof Change.HideMessages hidden && hidden.as() == StoredMessage.State.COMPACTED) {
                step.then(new Effect.Compressed(hidden.session()))
                        .then(new Effect.Tell(new GatewayEvent.Compressed(
                                lane, hidden.session(), hidden.messages().size())));
            }
        }
    }

    private static void clear(LaneStep.Draft step, LaneState state, List<Inbound> cleared, Moment moment) {
        step.after(s -> s.without(cleared));
        // What the lane gave itself is no message of anybody.
        cleared.stream()
                .filter(gone -> !state.isOwn(gone))
                .forEach(gone -> step.then(new Effect.Tell(new GatewayEvent.Dropped(moment.lane(), "queue cleared"))));
        if (!cleared.isEmpty()) {
            step.then(new Effect.Close(ids(cleared), "The queue was cleared."));
        }
    }

    private static void agent(LaneStep.Draft step, CommandOutcome outcome) {
        if (outcome.effects().contains(CommandOutcome.Effect.RELEASE_AGENT)) {
            step.then(new Effect.ReleaseAgent());
        }
        if (outcome.effects().contains(CommandOutcome.Effect.CLOSE_AGENT)) {
            step.then(new Effect.CloseAgent());
        }
    }

    private static void renewed(LaneStep.Draft step, LaneState state, CommandOutcome outcome, Moment moment) {
        Histories.finalized(state.lane(), outcome.changes()).forEach(step::then);
        for (Change change : outcome.changes()) {
            if (change instanceof Change.AppendHistory h
                    && h.event().kind() == LaneEvent.Kind.RENEWED
                    && h.event().lane().equals(moment.lane())) {
                h.event().to().ifPresent(next -> step.then(new Effect.SessionReset(next)));
            }
        }
    }

    private static void reply(
            LaneStep.Draft step, CommandOutcome outcome, Inbound command, Origin origin, Moment moment) {
        if (!outcome.reply().isBlank()) {
            Outgoing reply = moment
                    .outgoing(
                            command.source(),
                            outcome.reply(),
                            origin == Origin.OWN ? Outgoing.Kind.NOTICE : Outgoing.Kind.REPLY,
                            Optional.empty())
                    .toBuilder()
                    .cause(origin == Origin.ORDERED ? null : command.id())
                    .replyTo(command.platformMessage()
                            .map(PlatformMessage::messageId)
                            .orElse(null))
                    .build();
            step.store(new Change.PutOutgoing(reply))
                    .then(new Effect.Deliver(reply))
                    .then(new Effect.Reply(command.id(), reply));
        }
        if (outcome.enqueue().isEmpty() && outcome.summarise().isEmpty()) {
            step.then(new Effect.Close(List.of(command.id()), ONLY_REPLY));
        }
    }

    private static void enqueue(
            LaneStep.Draft step,
            LaneState state,
            CommandOutcome outcome,
            Inbound command,
            Optional<Standstill> standstill,
            Moment moment) {
        outcome.enqueue().ifPresent(input -> {
            Inbound queued = moment.inbound(
                    queuedBy(command).orElseGet(moment::newInbound),
                    state.waiting().used(command),
                    input.kind(),
                    Inbound.State.ADMITTED,
                    input.source().orElse(command.source()),
                    input.text(),
                    input.keepAttachments() ? command.attachments() : List.of(),
                    Optional.empty());
            step.store(new Change.PutInbound(queued))
                    .after(s -> s.with(s.waiting().with(queued)))
                    .then(new Effect.WaitFor(command.id(), queued.id()));
            boolean busy = !state.slot().isFree();
            if (input.kind() == Inbound.Kind.STEER) {
                step.then(new Effect.Steer(queued, true));
            } else if (busy || standstill.isPresent()) {
                step.then(new Effect.TellQueued());
            }
            whyItWaits(state, outcome, standstill)
                    .filter(why -> outcome.reply().isBlank())
                    .ifPresent(why -> {
                        Outgoing ack = moment.outgoing(command.source(), why, Outgoing.Kind.ACK, Optional.empty());
                        step.store(new Change.PutOutgoing(ack))
                                .after(s -> s.acknowledged(moment.now()))
                                .then(new Effect.Deliver(ack))
                                .then(new Effect.Reply(queued.id(), ack));
                    });
        });
    }

    /** Returns what people are told whose input waits for something else than a running turn. */
    private static Optional<String> whyItWaits(
            LaneState state, CommandOutcome outcome, Optional<Standstill> standstill) {
        boolean summarising =
                state.slot().isSummarising() && !outcome.effects().contains(CommandOutcome.Effect.DROP_TURN);
        return standstill
                .filter(why -> summarising || state.slot().isFree())
                .map(Standstill::told)
                .or(() -> summarising ? Optional.of(Reaction.COMPRESSING) : Optional.empty());
    }

    /**
     * Returns the id of the message that a command puts into the queue, so that whoever waits at another gateway finds it; absent where
     * nobody waits there.
     */
    private static Optional<InboundId> queuedBy(Inbound command) {
        return command.via().map(waiting -> AnswersElsewhere.queuedBy(command.id()));
    }

    private static List<InboundId> ids(List<Inbound> messages) {
        return messages.stream().map(Inbound::id).toList();
    }
}
