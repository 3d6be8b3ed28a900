package dev.parley.application.lane;

import dev.parley.application.command.CommandOutcome;
import dev.parley.application.command.CommandTable;
import dev.parley.application.port.Receipt;
import dev.parley.application.port.Received;
import dev.parley.application.settings.GatewaySettings;
import dev.parley.domain.turn.Inbound;
import dev.parley.domain.turn.InboundId;
import dev.parley.domain.turn.PlatformMessage;
import java.util.List;
import java.util.Optional;

/**
 * Has decided what becomes of messages that come in: gathers the facts, which are the gateway's standstill, a message that came before, and a
 * place for a lane that has to run. It reserves that place; what is decided on these facts is {@link Admitting}'s and {@link BusyPolicy}'s.
 *
 * @param clock the lane's clock
 * @param settings how the gateway behaves
 * @param reading finds messages that came before
 * @param commanding recognises commands
 * @param gateway the gateway it belongs to
 * @param turnedAway remembers who was told
 * @param place the lane's place among the running ones
 */
record Arrivals(
        LaneClock clock,
        GatewaySettings settings,
        LaneReading reading,
        Commanding commanding,
        GatewayState gateway,
        TurnedAway turnedAway,
        LanePlace place) {
    /** Returns the command that a message is; absent where it is for the agent. */
    Optional<CommandTable.Typed> command(LaneState state, Received message) {
        return commanding
                .read(state, message)
                .filter(typed -> typed.command().isPresent() || state.slot().isFree());
    }

    /** Returns the command that a posted message is, as it is to be decided while the lane is busy; absent for others. */
    Optional<Inbound> postedCommand(LaneState state, Inbound inbound) {
        return isCommand(state, inbound)
                ? Optional.of(inbound)
                : Awaited.approval(state, Posting.received(inbound)).map(inbound::edited);
    }

    /** What the gateway that stored it took for a command may be what the agent waits for, which that gateway does not know. */
    private static boolean isCommand(LaneState state, Inbound inbound) {
        return inbound.kind() == Inbound.Kind.COMMAND && !Awaited.isAwaited(state, Posting.received(inbound));
    }

    /** Decides what a message does that another gateway has stored, and that waits in the queue, while the lane is busy. */
    LaneStep posted(LaneState state, Inbound inbound, Optional<Glance> glance) {
        boolean isWords = inbound.kind() == Inbound.Kind.MESSAGE || inbound.kind() == Inbound.Kind.COMMAND;
        if (!isWords
                || isCommand(state, inbound)
                || !state.waiting().has(inbound)
                || state.slot().isFree()) {
            return LaneStep.none(state);
        }
        Optional<Standstill> standstill = gateway.standstill();
        return Admitting.posted(
                state,
                inbound,
                reaction(state, Posting.received(inbound), standstill, glance),
                standstill,
                BusyPolicy.mayAcknowledge(state, standstill, settings.busy(), clock.now()),
                clock.moment());
    }

    /** Decides whether a command is turned away that has decided: it makes the lane run, and finds no place. Absent where it is not. */
    Optional<LaneStep> turnedAway(LaneState state, Received message, CommandOutcome outcome) {
        boolean begins = outcome.summarise().isPresent() ? state.slot().isFree() : Admitting.needsPlace(state);
        return CommandSteps.runsSomething(outcome) && begins && findsNoPlace()
                ? Optional.of(noPlace(state, message))
                : Optional.empty();
    }

    /** Decides what becomes of a message for the agent; {@code glance} is what a look at a running one showed. */
    LaneStep plain(LaneState state, Received message, Optional<Glance> glance) {
        if (Admitting.needsPlace(state) && findsNoPlace()) {
            return noPlace(state, message);
        }
        Optional<Standstill> standstill = gateway.standstill(clock.lane(), state);
        boolean waits = standstill.isPresent() || gateway.awaitsRecovery(clock.lane());
        if (Admitting.isOneTooMany(state, message, waits, settings.busy().maxPending())) {
            return knownBefore(state, message)
                    .orElseGet(() -> Admitting.tooMany(state, message, isTold(message), clock.moment()));
        }
        return Admitting.admit(
                state,
                message,
                reaction(state, message, standstill, glance),
                standstill,
                BusyPolicy.mayAcknowledge(state, standstill, settings.busy(), clock.now()),
                clock.moment());
    }

    private Reaction reaction(
            LaneState state, Received message, Optional<Standstill> standstill, Optional<Glance> glance) {
        return BusyPolicy.reaction(
                state,
                message,
                standstill,
                glance,
                settings.busy(),
                settings.turns().timeout(),
                clock.now());
    }

    /** Takes a place for a lane that has to run for what comes in; returns whether all are taken. */
    private boolean findsNoPlace() {
        return gateway.stopping().isEmpty() && !place.reserve();
    }

    private LaneStep noPlace(LaneState state, Received message) {
        return knownBefore(state, message)
                .orElseGet(() ->
                        Admitting.noPlace(state, message, gateway.places().shown(), isTold(message), clock.moment()));
    }

    private boolean isTold(Received message) {
        return turnedAway.isTold(message.name());
    }

    /** A message that is to be turned away and was received before is a repetition. */
    private Optional<LaneStep> knownBefore(LaneState state, Received message) {
        Optional<PlatformMessage> name = message.name();
        return name.flatMap(reading::received)
                .map(before -> new LaneStep.Draft(state)
                        .then(new Effect.Receive(new Receipt.Duplicate(before.id(), before.lane())))
                        .then(new Effect.Close(
                                List.of(new InboundId(clock.timing().ids().unique("in"))), Admitting.REPEATED))
                        .done());
    }
}
