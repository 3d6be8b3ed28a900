package dev.parley.application.lane;

import dev.parley.application.command.CommandOutcome;
import dev.parley.application.port.AgentQuestion;
import dev.parley.application.port.GatewayEvent;
import dev.parley.application.port.Receipt;
import dev.parley.application.port.Received;
import dev.parley.domain.change.Change;
import dev.parley.domain.source.SessionSource;
import dev.parley.domain.turn.Inbound;
import dev.parley.domain.turn.InboundId;
import dev.parley.domain.turn.Outgoing;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** What becomes of an ordinary message that comes in: it is stored and waits for its turn, or is turned away. Pure. */
final class Admitting {
    static final String KEPT = "The gateway stops; the message is kept and runs after the next start.";
    static final String REPEATED = "This message was received before.";
    private static final Duration TRY_AGAIN = Duration.ofSeconds(10);

    private Admitting() {}

    /** Returns whether a message would make a lane run that does not, so that it needs a place. */
    static boolean needsPlace(LaneState state) {
        return state.slot().isFree() && state.waiting().isEmpty();
    }

    /**
     * Returns whether a message is one too many of those that wait (Q8.17).
     *
     * @param waits whether it would wait though the lane is free
     */
    static boolean isOneTooMany(LaneState state, Received message, boolean waits, int maxPending) {
        return (waits || !state.slot().isFree())
                && !Awaited.isAnswer(state, message)
                && state.waiting().followUps() >= maxPending;
    }

    /**
     * Stores a message, and does to the running turn what it does.
     *
     * @param standstill why it does not run now; absent where it does
     * @param acknowledges whether an acknowledgement may be sent now
     */
    static LaneStep admit(
            LaneState state,
            Received message,
            Reaction reaction,
            Optional<Standstill> standstill,
            boolean acknowledges,
            Moment moment) {
        Inbound inbound = received(state, message, moment);
        LaneStep.Draft step = new LaneStep.Draft(state)
                .store(new Change.PutInbound(inbound))
                .after(s -> s.with(s.waiting().with(inbound)))
                .then(new Effect.Receive(new Receipt.Admitted(inbound.id(), moment.lane())));
        react(step, inbound, reaction, standstill, acknowledges, moment);
        return step.done();
    }

    /** Does to the running turn what a message does that another gateway has stored. */
    static LaneStep posted(
            LaneState state,
            Inbound inbound,
            Reaction reaction,
            Optional<Standstill> standstill,
            boolean acknowledges,
            Moment moment) {
        LaneStep.Draft step = new LaneStep.Draft(state);
        react(step, inbound, reaction, standstill, acknowledges, moment);
        return step.done();
    }

    private static void react(
            LaneStep.Draft step,
            Inbound inbound,
            Reaction reaction,
            Optional<Standstill> standstill,
            boolean acknowledges,
            Moment moment) {
        Optional<Outgoing> ack = said(reaction)
                .filter(text -> acknowledges)
                .map(text -> moment.outgoing(inbound.source(), text, Outgoing.Kind.ACK, Optional.empty()));
        boolean stops = standstill.filter(Standstill::stops).isPresent();
        boolean handed = reaction instanceof Reaction.Steers || reaction instanceof Reaction.Answers;
        if (!handed && (!step.before().slot().isFree() || standstill.isPresent())) {
            step.then(new Effect.TellQueued());
        }
        ack.ifPresent(a -> step.store(new Change.PutOutgoing(a))
                .after(s -> s.acknowledged(moment.now()))
                .then(new Effect.Deliver(a))
                .then(new Effect.Reply(inbound.id(), a)));
        if (reaction instanceof Reaction.Interrupts) {
            step.after(s -> s.interrupted(Cause.FOLLOW_UP)).then(new Effect.Interrupt(inbound.text()));
        } else if (reaction instanceof Reaction.GivesUp) {
            step.then(new Effect.GiveUpTurn());
        } else if (reaction instanceof Reaction.Steers) {
            step.then(new Effect.Steer(inbound, acknowledges));
        } else if (reaction instanceof Reaction.Answers) {
            step.then(new Effect.Clarify(inbound, stops));
        }
        if (stops && !handed) {
            step.then(kept(inbound));
        }
    }

    /** Whoever waits for what comes of a message that runs after the next start waits no longer. */
    private static Effect kept(Inbound inbound) {
        return new Effect.Close(List.of(inbound.id()), KEPT);
    }

    /** Returns a message as it is stored, with everything its platform says of it. */
    private static Inbound received(LaneState state, Received message, Moment moment) {
        return moment
                .inbound(
                        state.waiting(),
                        Inbound.Kind.MESSAGE,
                        Inbound.State.ADMITTED,
                        message.source(),
                        message.text(),
                        message.attachments(),
                        message.name())
                .toBuilder()
                .sentAt(message.sentAt().orElse(null))
                .replyTo(message.replyTo().orElse(null))
                .mentioned(message.mentioned())
                .context(message.context())
                .build();
    }

    private static Optional<String> said(Reaction reaction) {
        if (reaction instanceof Reaction.Told told) {
            return Optional.of(told.text());
        }
        return reaction instanceof Reaction.Interrupts interrupts ? Optional.of(interrupts.text()) : Optional.empty();
    }

    /** Turns a message away because all lanes that may run do (Q8.35). */
    static LaneStep noPlace(LaneState state, Received message, String places, boolean told, Moment moment) {
        return turnedAway(
                state,
                message,
                "Active session limit reached (" + places + "). Please try again in a moment.",
                "active session limit",
                told,
                moment);
    }

    /** Turns a message away because too many wait (Q8.17). */
    static LaneStep tooMany(LaneState state, Received message, boolean told, Moment moment) {
        return turnedAway(
                state,
                message,
                "Too many messages are waiting (" + state.waiting().followUps()
                        + "); this one was not taken. Please send it again after the next answer.",
                "too many waiting",
                told,
                moment);
    }

    /** Nothing of the message is stored, so that it may come again; its sender is told once (commit rule 13). */
    private static LaneStep turnedAway(
            LaneState state, Received message, String text, String why, boolean told, Moment moment) {
        InboundId nobody = new InboundId(moment.ids().unique("in"));
        LaneStep.Draft step = new LaneStep.Draft(state)
                .then(new Effect.Receive(new Receipt.TurnedAway(text, Optional.of(TRY_AGAIN))))
                .then(new Effect.Tell(new GatewayEvent.Dropped(moment.lane(), why)));
        if (!told) {
            Outgoing notice = moment.outgoing(message.source(), text, Outgoing.Kind.NOTICE, Optional.empty());
            step.store(new Change.PutOutgoing(notice))
                    .then(new Effect.Remember(message.name()))
                    .then(new Effect.Deliver(notice))
                    .then(new Effect.Reply(nobody, notice));
        }
        return step.then(new Effect.Close(List.of(nobody), why)).done();
    }

    /** The agent has taken a message that was handed to it, or has not; its sender is told where they are to be. */
    static LaneStep steered(LaneState state, Inbound input, boolean taken, boolean told, Moment moment) {
        LaneStep.Draft step = new LaneStep.Draft(state);
        if (taken) {
            step.after(s -> s.slot()
                    .working()
                    .map(turn -> s.without(List.of(input)).working(turn.steeredBy(input)))
                    .orElse(s));
        } else {
            step.then(new Effect.TellQueued());
        }
        if (told) {
            acknowledge(step, input.source(), taken ? TurnRows.PASSED_ON : CommandOutcome.Enqueue.WAITS, moment);
        }
        return step.done();
    }

    /**
     * The agent that asked has taken an answer, or waits for it no longer: then it stays and waits.
     *
     * @param stops whether the gateway stops, so that what stays runs after the next start
     */
    static LaneStep clarified(LaneState state, Inbound answer, boolean taken, boolean stops, Moment moment) {
        LaneStep.Draft step = new LaneStep.Draft(state);
        if (taken) {
            step.then(new Effect.Tell(new GatewayEvent.Answered(moment.lane(), answer.text(), Optional.empty())));
            step.after(s -> s.slot()
                    .working()
                    .map(turn -> s.without(List.of(answer)).working(turn.answeredBy(answer)))
                    .orElse(s));
        } else {
            step.then(new Effect.TellQueued());
            if (stops) {
                step.then(kept(answer));
            }
        }
        return step.done();
    }

    /** The agent has taken a decision, or waits for none: then whoever decided is told. */
    static LaneStep decided(
            LaneState state, AgentQuestion.Decision decision, SessionSource by, boolean taken, Moment moment) {
        LaneStep.Draft step = new LaneStep.Draft(state);
        if (taken) {
            step.then(new Effect.Tell(new GatewayEvent.Answered(
                    moment.lane(), decision.approval().name().toLowerCase(Locale.ROOT), decision.reason())));
            step.after(s -> s.slot()
                    .working()
                    .map(turn -> s.working(turn.askingNothing()))
                    .orElse(s));
        } else {
            acknowledge(step, by, "It was too late: the task waits for it no longer.", moment);
        }
        return step.done();
    }

    private static void acknowledge(LaneStep.Draft step, SessionSource to, String text, Moment moment) {
        Outgoing ack = moment.outgoing(to, text, Outgoing.Kind.ACK, Optional.empty());
        step.store(new Change.PutOutgoing(ack))
                .after(s -> s.acknowledged(moment.now()))
                .then(new Effect.Deliver(ack));
    }
}
