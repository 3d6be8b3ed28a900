package dev.parley.application.lane;

import dev.parley.application.command.CommandOutcome;
import dev.parley.application.command.CommandTable;
import dev.parley.application.port.AnswerListener;
import dev.parley.application.port.ParleyException;
import dev.parley.application.port.Receipt;
import dev.parley.application.port.Received;
import dev.parley.application.port.StorageCorrupt;
import dev.parley.application.port.StorageUnavailable;
import dev.parley.domain.change.Change;
import dev.parley.domain.change.CommitResult;
import dev.parley.domain.change.Precondition;
import dev.parley.domain.turn.Inbound;
import dev.parley.domain.turn.PlatformMessage;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Takes in what comes from chats: asks plug-ins what they know of it, has it decided, stores it once, and tells its platform what became
 * of it. Where the lane is worked on elsewhere it stores a message for the gateway that does. Used by the lane's own tasks.
 *
 * @param lane the lane's actor
 * @param work the rest of the lane
 * @param takeover whose the lane is
 * @param senders those who wait for receipts and answers
 * @param arrivals decides about messages
 * @param commands has commands decide
 * @param agent the agent that works
 * @param turns the running turn
 * @param reading finds messages that came before
 * @param clock the lane's clock
 * @param host the gateway it belongs to
 */
record Intake(
        Storing lane,
        Work work,
        Takeover takeover,
        Senders senders,
        ArrivalDecider arrivals,
        CommandDecider commands,
        WorkingAgent agent,
        TurnDriver turns,
        LaneReading reading,
        LaneClock clock,
        LaneHost host) {
    /** What taking something in has the rest of the lane do. */
    interface Work {
        /** Has a command that waits in the queue decide. The last thing a step does. */
        void runCommand(Inbound command);

        /** Takes notice of messages that other gateways have stored for the lane. */
        void posted();

        /** Looks what is stored that is not known here, where that is to be done. */
        void catchUp();

        /** The store did not answer, so something may be stored that is not known here: it is looked for once the store answers. */
        void catchUpLater();

        /** Another gateway may work on the lane: what goes on here ends, and the message at hand is not taken. */
        void lost();

        /** Another gateway may work on the lane: what goes on here ends, while the message at hand is taken another way. */
        void dropped();
    }

    /** Takes a message that was handed over. */
    void arrive(LaneInput.Arrived arrived) {
        if (senders.take(arrived)) {
            taking(arrived, () -> arrive(arrived, 1));
        }
    }

    /** Takes a step with what was handed in; nobody was promised anything yet: where the step fails it is refused, not kept waiting. */
    private void taking(LaneInput.HandedIn input, Runnable step) {
        try {
            step.run();
        } catch (StorageUnavailable | StorageCorrupt e) {
            refuse(input, String.valueOf(e.getMessage()), e);
        } catch (Throwable e) {
            refuse(
                    input,
                    e instanceof ParleyException
                            ? String.valueOf(e.getMessage())
                            : "Something went wrong inside the gateway; try again.",
                    e);
            throw e;
        } finally {
            if (!lane.isPaused()) {
                senders.taken();
            }
        }
    }

    private void arrive(LaneInput.Arrived arrived, int attempt) {
        if (takeover.mustPost() || isLeftToOthers(arrived.message()) || !takeover.isHere()) {
            postElsewhere(arrived);
            return;
        }
        lane.load();
        LaneState seen = lane.state();
        Received message = arrived.message();
        Optional<CommandTable.Typed> typed = arrivals.command(seen, message);
        Optional<Supplier<Glance>> looking = agent.looking(seen.slot().active());
        List<Inbound> before = typed.isPresent() && attempt <= Deciding.ATTEMPTS ? commandsBefore(seen) : List.of();
        if (!before.isEmpty()) {
            before.forEach(command -> lane.afterwards(() -> work.runCommand(command)));
            lane.afterwards(() -> arriveBehind(arrived, attempt + 1));
        } else if (typed.isPresent()) {
            Inbound command = commands.carrying(seen, message);
            lane.ask(
                    CommandDecider.UNASKED,
                    commands.asking(command.source()),
                    CommandDecider.Asked.NOTHING,
                    asked -> taking(
                            arrived, () -> arriveAsCommand(arrived, seen, command, typed.get(), asked, attempt)));
        } else if (looking.isPresent()) {
            lane.ask(
                    TurnDriver.UNSEEN,
                    looking.get(),
                    WorkingAgent.unseen(seen.slot().active()),
                    glance -> taking(
                            arrived,
                            () -> admit(arrived, arrivals.plain(seen, message, Optional.of(glance)), attempt)));
        } else {
            admit(arrived, arrivals.plain(seen, message, Optional.empty()), attempt);
        }
    }

    /** Returns whether another gateway is to take a message for the agent; commands take no place. */
    private boolean isLeftToOthers(Received message) {
        return commands.commanding().read(message.text()).isEmpty() && takeover.leavesToOthers(message.source());
    }

    /** Returns the commands that other gateways have stored and that have not run yet: a command overtakes none of them. */
    private List<Inbound> commandsBefore(LaneState seen) {
        Optional<Inbound> summarised = Optional.of(seen.slot())
                .filter(TurnSlot.Summarising.class::isInstance)
                .map(slot -> ((TurnSlot.Summarising) slot).command());
        return takeover.isKept()
                ? seen.waiting().messages().stream()
                        .filter(each -> each.kind() == Inbound.Kind.COMMAND)
                        .filter(each ->
                                summarised.filter(s -> s.id().equals(each.id())).isEmpty())
                        .toList()
                : List.of();
    }

    private void arriveAsCommand(
            LaneInput.Arrived arrived,
            LaneState seen,
            Inbound command,
            CommandTable.Typed typed,
            CommandDecider.Asked asked,
            int attempt) {
        lane.ask(
                CommandDecider.undecided(Optional.of(typed)),
                commands.deciding(seen, command, typed, asked, attempt),
                () -> CommandDecider.givenUp(Optional.of(typed)),
                outcome -> taking(
                        arrived, () -> admit(arrived, commandStep(arrived, seen, command, outcome.get()), attempt)));
    }

    private LaneStep commandStep(LaneInput.Arrived arrived, LaneState seen, Inbound command, CommandOutcome outcome) {
        return arrivals.turnedAway(seen, arrived.message(), outcome)
                .orElseGet(() -> commands.arrived(seen, command, outcome));
    }

    private void admit(LaneInput.Arrived arrived, LaneStep step, int attempt) {
        if (step.store().isEmpty()) {
            senders.listen(step, arrived.answer());
            lane.apply(step);
            return;
        }
        List<Precondition> require = new ArrayList<>();
        if (step.admits()) {
            Admitting.named(arrived.message()).ifPresent(name -> require.add(new Precondition.NotReceived(name)));
        }
        require.addAll(step.require());
        CommitResult result = lane.storeOnce(require, step.store());
        if (!(result instanceof CommitResult.Conflict conflict)) {
            senders.listen(step, arrived.answer());
            lane.apply(step);
        } else if (conflict.failed() instanceof Precondition.NotReceived known) {
            duplicate(known.message(), arrived);
        } else if (conflict.failed() instanceof Precondition.LastOrdinal) {
            lane.forget();
            lane.load();
            lane.afterwards(() -> arriveBehind(arrived, attempt + 1));
        } else {
            lane.forget();
            if (conflict.failed() instanceof Precondition.HeldBy) {
                work.dropped();
            }
            arrive(arrived, attempt + 1);
        }
    }

    /** Stores a message for the gateway that works on the lane, and tells that one. */
    private void postElsewhere(LaneInput.Arrived arrived) {
        Received message = arrived.message();
        boolean awaited = arrived.answer() != AnswerListener.NONE;
        Inbound inbound = Posting.posted(
                message,
                commands.commanding().read(message.text()).isPresent(),
                awaited ? host.nodes().life() : Optional.empty(),
                clock.moment());
        List<Precondition> require = new ArrayList<>();
        Admitting.named(message).ifPresent(name -> require.add(new Precondition.NotReceived(name)));
        CommitResult result = lane.storeOnce(require, List.of(new Change.PostInbound(inbound)));
        if (result instanceof CommitResult.Conflict conflict
                && conflict.failed() instanceof Precondition.NotReceived known) {
            duplicate(known.message(), arrived);
            return;
        }
        if (awaited) {
            host.answers().await(inbound.id(), arrived.answer());
        }
        arrived.receipt().complete(new Receipt.Admitted(inbound.id(), clock.lane()));
        takeover.wake();
        // The lane may be free by now; then its message is this gateway's to answer.
        lane.afterwards(work::posted);
    }

    /** Another gateway has stored something for the lane before this message: that does what it does first. */
    private void arriveBehind(LaneInput.Arrived arrived, int attempt) {
        if (senders.take(arrived)) {
            taking(arrived, () -> arrive(arrived, attempt));
        }
    }

    /** Takes what happened in a chat. */
    void occur(LaneInput.Occurred occurred) {
        if (senders.take(occurred)) {
            taking(occurred, () -> occur(occurred, 1));
        }
    }

    private void occur(LaneInput.Occurred occurred, int attempt) {
        if (!takeover.isHere()) {
            occurred.receipt().complete(new Receipt.Unavailable(Takeover.ELSEWHERE));
            return;
        }
        lane.load();
        LaneStep step = EventDecider.decide(lane.state(), occurred.what(), turns.asked(), clock.moment());
        if (step.store().isEmpty()) {
            lane.apply(step);
            return;
        }
        List<Precondition> require = new ArrayList<>();
        EventDecider.named(occurred.what()).ifPresent(name -> require.add(new Precondition.NotReceived(name)));
        require.addAll(step.require());
        CommitResult result = lane.storeOnce(require, step.store());
        if (!(result instanceof CommitResult.Conflict conflict)) {
            lane.apply(step);
        } else if (conflict.failed() instanceof Precondition.NotReceived known) {
            occurred.receipt().complete(knownAs(known.message()));
        } else if (conflict.failed() instanceof Precondition.HeldBy) {
            work.lost();
            occurred.receipt().complete(new Receipt.Unavailable(Takeover.ELSEWHERE));
        } else if (attempt < Deciding.ATTEMPTS) {
            lane.forget();
            occur(occurred, attempt + 1);
        } else {
            lane.forget();
            occurred.receipt().complete(new Receipt.Unavailable("The lane changed meanwhile; try again."));
        }
    }

    private Receipt knownAs(PlatformMessage name) {
        return reading.received(name)
                .<Receipt>map(before -> new Receipt.Duplicate(before.id(), before.lane()))
                .orElseGet(
                        () -> new Receipt.Unavailable("The message seems to be known but cannot be found; try again."));
    }

    private void refuse(LaneInput.HandedIn input, String why, Throwable failure) {
        lane.forget();
        lane.trouble(
                input instanceof LaneInput.Occurred
                        ? "What happened in a chat could not be stored."
                        : "A message could not be stored.",
                failure);
        input.receipt().complete(new Receipt.Unavailable(why));
        input.answer().closed(why);
        work.catchUpLater();
    }

    private void duplicate(PlatformMessage name, LaneInput.Arrived arrived) {
        arrived.receipt().complete(knownAs(name));
        arrived.answer().closed(Admitting.REPEATED);
        lane.afterwards(work::catchUp);
    }
}
