package dev.parley.application.lane;

import dev.parley.application.command.CommandOutcome;
import dev.parley.application.command.CommandTable;
import dev.parley.application.port.Receipt;
import dev.parley.application.port.Received;
import dev.parley.domain.turn.Inbound;
import dev.parley.domain.turn.LifeId;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Takes in what comes from chats: asks plug-ins what they know of it, and has it decided and stored. Where the lane is worked on elsewhere a
 * message is stored for the gateway that does. Used by the lane's own tasks.
 *
 * @param lane the lane's actor
 * @param takeover whose the lane is
 * @param acceptance stores what was decided, once
 * @param elsewhere stores messages for other gateways
 * @param arrivals decides about messages
 * @param commands has commands decide
 * @param agent the agent that works
 * @param clock the lane's clock
 */
record Intake(
        LaneWork lane,
        Takeover takeover,
        Acceptance acceptance,
        PostingElsewhere elsewhere,
        Arrivals arrivals,
        CommandRuns commands,
        WorkingAgent agent,
        LaneClock clock) {
    /** Takes a message that was handed over. */
    void arrive(LaneInput.Arrived arrived) {
        acceptance.take(arrived, () -> arrive(arrived, 1));
    }

    private void arrive(LaneInput.Arrived arrived, int attempt) {
        Received message = arrived.message();
        Optional<CommandTable.Typed> reads = commands.commanding().read(message);
        // Commands take no place.
        Optional<LifeId> chosen = reads.isPresent() ? Optional.empty() : takeover.leavesTo(message.source());
        boolean posts = chosen.isPresent() || !takeover.isHere();
        if (posts || (attempt > Deciding.ATTEMPTS && takeover.isKept())) {
            // The lane is busy there as a rule, and takes what only looks like a command as text.
            boolean command = reads.flatMap(CommandTable.Typed::command).isPresent();
            elsewhere.post(arrived, command, chosen);
            return;
        }
        lane.load();
        LaneState seen = lane.state();
        Optional<CommandTable.Typed> typed = arrivals.command(seen, message);
        Optional<Supplier<Glance>> looking = agent.looking(seen.slot().active());
        List<Inbound> before = typed.isPresent() ? commandsBefore(seen) : List.of();
        if (!before.isEmpty()) {
            before.forEach(each -> lane.afterwards(() -> commands.runWaiting(lane, each)));
            lane.afterwards(() -> acceptance.take(arrived, () -> arrive(arrived, attempt + 1)));
        } else if (typed.isPresent()) {
            Inbound carrying = commands.carrying(seen, message);
            lane.ask(
                    CommandRuns.UNASKED,
                    commands.asking(carrying.source()),
                    CommandRuns.Asked.NOTHING,
                    asked -> acceptance.goOn(
                            arrived, () -> decide(arrived, seen, carrying, typed.get(), asked, attempt)));
        } else if (looking.isPresent()) {
            lane.ask(
                    TurnDriver.UNSEEN,
                    looking.get(),
                    WorkingAgent.unseen(seen.slot().active()),
                    glance -> acceptance.goOn(
                            arrived,
                            () -> store(arrived, arrivals.plain(seen, message, Optional.of(glance)), attempt)));
        } else {
            store(arrived, arrivals.plain(seen, message, Optional.empty()), attempt);
        }
    }

    /** Returns the commands that other gateways have stored and that have not run yet: a command overtakes none of them. */
    private List<Inbound> commandsBefore(LaneState seen) {
        return takeover.isKept()
                ? seen.waiting().messages().stream()
                        .filter(each -> each.kind() == Inbound.Kind.COMMAND)
                        .filter(each -> !seen.slot().isSummarising(each.id()))
                        .toList()
                : List.of();
    }

    /** Has a command decide that was handed over. */
    private void decide(
            LaneInput.Arrived arrived,
            LaneState seen,
            Inbound command,
            CommandTable.Typed typed,
            CommandRuns.Asked asked,
            int attempt) {
        lane.ask(
                CommandRuns.undecided(Optional.of(typed)),
                commands.deciding(seen, command, typed, asked, attempt),
                () -> CommandRuns.givenUp(Optional.of(typed)),
                outcome -> acceptance.goOn(
                        arrived, () -> store(arrived, step(arrived, seen, command, outcome.get()), attempt)));
    }

    private LaneStep step(LaneInput.Arrived arrived, LaneState seen, Inbound command, CommandOutcome outcome) {
        return arrivals.turnedAway(seen, arrived.message(), outcome)
                .orElseGet(() -> commands.arrived(seen, command, outcome));
    }

    private void store(LaneInput.Arrived arrived, LaneStep step, int attempt) {
        acceptance.store(arrived, step, () -> arrive(arrived, attempt + 1));
    }

    /** Takes what happened in a chat. */
    void occur(LaneInput.Occurred occurred) {
        acceptance.take(occurred, () -> occur(occurred, 1));
    }

    private void occur(LaneInput.Occurred occurred, int attempt) {
        if (!takeover.isHere()) {
            occurred.receipt().complete(new Receipt.Unavailable(Takeover.ELSEWHERE));
        } else if (attempt > Deciding.ATTEMPTS) {
            occurred.receipt().complete(new Receipt.Unavailable("The lane changed meanwhile; try again."));
        } else {
            lane.load();
            acceptance.store(
                    occurred,
                    EventDecider.decide(lane.state(), occurred.what(), clock.moment()),
                    () -> occur(occurred, attempt + 1));
        }
    }
}
