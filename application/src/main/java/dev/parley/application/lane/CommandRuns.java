package dev.parley.application.lane;

import dev.parley.application.command.ChatCommand;
import dev.parley.application.command.CommandContext;
import dev.parley.application.command.CommandOutcome;
import dev.parley.application.command.CommandTable;
import dev.parley.application.command.LaneView;
import dev.parley.application.command.RunningTurn;
import dev.parley.application.port.ParleyException;
import dev.parley.application.port.Received;
import dev.parley.application.port.StorageUnavailable;
import dev.parley.application.turn.RunningAgent;
import dev.parley.application.turn.SummaryReport;
import dev.parley.domain.source.Platform;
import dev.parley.domain.source.SessionSource;
import dev.parley.domain.turn.Inbound;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Has commands decide, and makes steps of what they decided: one that comes in, one that waited in the queue, one whose summary is there, an
 * operator's order. It gathers what they are to know of their lane; what a decision stores and does is {@link CommandSteps}'.
 *
 * @param clock the lane's clock
 * @param reading reads what is in the queue
 * @param commanding recognises commands and has them decide
 * @param gateway says whether what a command starts may run now
 * @param neighbours the other lanes
 * @param agent the lane's agent
 * @param compressions knows which sessions could not be compressed
 */
record CommandRuns(
        LaneClock clock,
        LaneReading reading,
        Commanding commanding,
        GatewayState gateway,
        Neighbours neighbours,
        WorkingAgent agent,
        Compressions compressions) {
    /** What the operator is told where plug-ins do not say what a command is to know. */
    static final String UNASKED = "A command is decided without what plug-ins were asked for it.";

    /**
     * What plug-ins say that a command is to know.
     *
     * @param admin whether its writer is an admin
     * @param doing what the running agent is doing, for display
     */
    record Asked(boolean admin, Optional<String> doing) {
        /** They say nothing. */
        static final Asked NOTHING = new Asked(false, Optional.empty());
    }

    /**
     * What an operator's order decided.
     *
     * @param outcome what is done; absent where nothing is
     * @param unavailable why the store did not say what is to be done; absent where it did
     */
    record Order(Optional<CommandOutcome> outcome, Optional<StorageUnavailable> unavailable) {
        private static final Order NOTHING = new Order(Optional.empty(), Optional.empty());

        /** What an order is taken to have decided that fails or is late. */
        private static final Order GIVEN_UP = new Order(
                Optional.empty(),
                Optional.of(new StorageUnavailable("The order could not be decided; try again.", null)));
    }

    // ------------------------------------------------------------------ those that are stored or ordered

    /** Has a command decide that waits in the queue, and carries that out. The last thing a step does. */
    void runWaiting(Deciding lane, Inbound command) {
        run(
                lane,
                command.source(),
                undecided(read(command)),
                asked -> (state, attempt) -> deciding(state, command, asked, attempt),
                givenUp(read(command)),
                (state, outcome) -> admitted(state, command, outcome));
    }

    /** Has a command go on whose summary is there, or of which it is known that there is none. The last thing a step does. */
    void goOn(Deciding lane, TurnSlot.Summarising slot, SummaryReport report) {
        run(
                lane,
                slot.command().source(),
                undecided(read(slot.command())),
                asked -> (state, attempt) -> deciding(state, slot, report, asked, attempt),
                givenUp(read(slot.command())),
                (state, outcome) -> admitted(state, slot.command(), outcome));
    }

    /** Has an operator's order decide, and carries that out. The last thing a step does. */
    void follow(Deciding lane, LaneInput.Ordered ordered) {
        run(
                lane,
                ordering(lane.state()),
                "An operator's order does not decide.",
                asked -> (state, attempt) -> deciding(state, ordered, asked, attempt),
                Order.GIVEN_UP,
                this::ordered);
    }

    private <T> void run(
            Deciding lane,
            SessionSource source,
            String failed,
            Function<Asked, Deciding.Asking<T>> deciding,
            T otherwise,
            Deciding.Answered<T> decided) {
        lane.ask(
                UNASKED,
                asking(source),
                Asked.NOTHING,
                asked -> lane.decideAsking(failed, deciding.apply(asked), otherwise, decided));
    }

    // ------------------------------------------------------------------ what they are to know, and what they decide

    /** Returns what asks plug-ins what a command of this writer is to know; it may be asked on another thread. */
    Supplier<Asked> asking(SessionSource source) {
        Optional<RunningAgent> working = agent.running();
        return () -> new Asked(commanding.isAdmin(source), working.flatMap(RunningAgent::activity));
    }

    /** Returns the message that carries a command which comes in. */
    Inbound carrying(LaneState state, Received message) {
        return clock.moment()
                .inbound(
                        state.waiting(),
                        Inbound.Kind.COMMAND,
                        Inbound.State.DONE,
                        message.source(),
                        message.text(),
                        message.attachments(),
                        message.name());
    }

    /**
     * Returns what has a command decide; it may be asked on another thread, and what the store throws is thrown by what it returns.
     */
    Supplier<Supplier<CommandOutcome>> deciding(
            LaneState state, Inbound command, CommandTable.Typed typed, Asked asked, int attempt) {
        return deciding(
                () -> commanding.decide(typed, context(state, command.source(), asked, typed.arguments(), command)),
                CommandOutcome.reply(CommandSteps.LOST_RACE),
                attempt);
    }

    /** Returns what has a command decide that waits in the queue: one that a crash cut off, or that the lane gave itself. */
    Supplier<Supplier<CommandOutcome>> deciding(LaneState state, Inbound command, Asked asked, int attempt) {
        return commanding
                .read(command.text())
                .map(typed -> deciding(state, command, typed, asked, attempt))
                .orElse(() -> () -> CommandOutcome.reply(CommandSteps.LOST_RACE));
    }

    /** Returns what has a command decide whose summary is there, or of which it is known that there is none. */
    Supplier<Supplier<CommandOutcome>> deciding(
            LaneState state, TurnSlot.Summarising slot, SummaryReport report, Asked asked, int attempt) {
        return deciding(
                () -> (report.succeeded() ? slot.wanted().then() : slot.wanted().otherwise())
                        .apply(context(state, slot.command().source(), asked, "", slot.command()), report.text()),
                CommandOutcome.reply(CommandSteps.LOST_RACE),
                attempt);
    }

    /** Returns what has an operator's order decide; as {@link #deciding(LaneState, Inbound, CommandTable.Typed, Asked, int)}. */
    Supplier<Supplier<Order>> deciding(LaneState state, LaneInput.Ordered ordered, Asked asked, int attempt) {
        return deciding(
                () -> {
                    try {
                        return new Order(
                                ordered.order().apply(context(state, ordering(state), asked, "", nobody(state))),
                                Optional.empty());
                    } catch (StorageUnavailable e) {
                        return new Order(Optional.empty(), Optional.of(e));
                    }
                },
                Order.NOTHING,
                attempt);
    }

    private static <T> Supplier<Supplier<T>> deciding(Supplier<T> deciding, T lost, int attempt) {
        if (attempt > Deciding.ATTEMPTS) {
            return () -> () -> lost;
        }
        return () -> {
            try {
                T outcome = deciding.get();
                return () -> outcome;
            } catch (ParleyException e) {
                return () -> {
                    throw e;
                };
            }
        };
    }

    /** Returns what the operator is told where a command fails or is late. */
    static String undecided(Optional<CommandTable.Typed> typed) {
        return name(typed) + " does not decide.";
    }

    /** Returns what a command is taken to have decided that is late. */
    static CommandOutcome givenUp(Optional<CommandTable.Typed> typed) {
        return CommandOutcome.reply(
                name(typed) + " took too long and was given up; nothing was changed. The operator has been told.");
    }

    private static String name(Optional<CommandTable.Typed> typed) {
        return typed.flatMap(CommandTable.Typed::command)
                .map(known -> "The command /" + known.name())
                .orElse("A command");
    }

    /** Returns what a command reads as that waits in the queue. */
    Optional<CommandTable.Typed> read(Inbound command) {
        return commanding.read(command.text());
    }

    /** Carries out what a command decided that came in. */
    LaneStep arrived(LaneState state, Inbound command, CommandOutcome outcome) {
        return carryOut(state, outcome, command, CommandSteps.Origin.ARRIVED);
    }

    /** Carries out what a command decided that waits in the queue; nothing where it does not any more. */
    LaneStep admitted(LaneState state, Inbound command, CommandOutcome outcome) {
        if (!state.waiting().has(command)) {
            return LaneStep.none(state);
        }
        if (!Claiming.isOwn(state, command)) {
            return carryOut(state, outcome, command, CommandSteps.Origin.ADMITTED);
        }
        boolean told = CommandSteps.changesNothing(outcome)
                && state.lane()
                        .filter(lane -> compressions.isTold(lane.entry().sessionId()))
                        .isPresent();
        return carryOut(state, told ? outcome.replying("") : outcome, command, CommandSteps.Origin.OWN);
    }

    /** Carries out what an operator's order decided. */
    LaneStep ordered(LaneState state, Order order) {
        return order.outcome()
                .map(outcome -> carryOut(state, outcome, nobody(state), CommandSteps.Origin.ORDERED))
                .orElseGet(() -> new LaneStep.Draft(state)
                        .then(order.unavailable()
                                .<Effect>map(Effect.Refuse::new)
                                .orElse(new Effect.Answer(false)))
                        .done());
    }

    /** Returns what stands for the message that carries a command, where nobody in the lane wrote one. */
    private Inbound nobody(LaneState state) {
        return clock.moment()
                .inbound(
                        state.waiting(),
                        Inbound.Kind.COMMAND,
                        Inbound.State.DONE,
                        ordering(state),
                        "",
                        List.of(),
                        Optional.empty());
    }

    /** Returns in whose name an operator orders something of a lane. */
    private static SessionSource ordering(LaneState state) {
        return state.lane()
                .flatMap(l -> l.entry().origin())
                .orElseGet(
                        () -> SessionSource.builder(Platform.LOCAL, "operator").build());
    }

    private LaneStep carryOut(LaneState state, CommandOutcome outcome, Inbound command, CommandSteps.Origin origin) {
        Optional<String> name = origin == CommandSteps.Origin.ORDERED
                ? Optional.empty()
                : commanding
                        .read(command.text())
                        .flatMap(CommandTable.Typed::command)
                        .map(ChatCommand::name);
        return CommandSteps.carryOut(
                state, outcome, command, name, origin, gateway.standstill(clock.lane(), state), clock.moment());
    }

    private CommandContext context(
            LaneState state, SessionSource source, Asked asked, String arguments, Inbound command) {
        return commanding.context(
                view(state, asked, command),
                source,
                asked.admin(),
                read(command).map(CommandTable.Typed::name).orElse(""),
                arguments,
                command.attachments(),
                clock.now());
    }

    private LaneView view(LaneState state, Asked asked, Inbound command) {
        Waiting others = state.waiting()
                .without(state.waiting().messages().stream()
                        .filter(each ->
                                each.id().equals(command.id()) || state.slot().isSummarising(each.id()))
                        .toList());
        return new LaneView(
                clock.lane(),
                state.lane(),
                running(state, asked),
                state.slot().isSummarising(),
                reading.items(state.with(others)).size(),
                neighbours.runningBeside(clock.lane(), command.source()));
    }

    /** Returns the running turn as commands see it. */
    private Optional<RunningTurn> running(LaneState state, Asked asked) {
        return state.slot()
                .active()
                .map(turn -> new RunningTurn(
                        turn.plan().turn().id(),
                        turn.plan().session(),
                        turn.plan().turn().startedAt(),
                        agent.isPresent(),
                        turn.question(),
                        asked.doing()));
    }
}
