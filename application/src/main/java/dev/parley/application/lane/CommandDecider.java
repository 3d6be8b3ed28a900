package dev.parley.application.lane;

import dev.parley.application.command.CommandContext;
import dev.parley.application.command.CommandOutcome;
import dev.parley.application.command.CommandTable;
import dev.parley.application.command.LaneView;
import dev.parley.application.command.RunningTurn;
import dev.parley.application.port.Received;
import dev.parley.application.turn.SummaryReport;
import dev.parley.domain.source.Platform;
import dev.parley.domain.source.SessionSource;
import dev.parley.domain.turn.Inbound;
import java.util.List;
import java.util.Optional;

/**
 * Has a command decide on what is known of its lane: one that comes in, one that waited in the queue, one whose summary is there, one of
 * an operator.
 *
 * @param clock the lane's clock
 * @param reading reads what is in the queue
 * @param commanding recognises commands and has them decide
 * @param gateway says whether what a command starts may run now
 * @param neighbours the other lanes
 * @param agent the lane's agent
 */
record CommandDecider(
        LaneClock clock,
        LaneReading reading,
        Commanding commanding,
        GatewayState gateway,
        Neighbours neighbours,
        WorkingAgent agent) {
    /** A command as it has come in, and what it decided. */
    record Decided(Inbound command, CommandOutcome outcome) {}

    /** Returns what a message reads as: a command, or the answer to an approval that is written without one. */
    Optional<CommandTable.Typed> read(LaneState state, Received message) {
        return commanding
                .read(message.text())
                .or(() -> BusyPolicy.approval(state, message).flatMap(commanding::read));
    }

    /** Returns what a command decides that comes in. */
    Decided arrived(LaneState state, Received message, CommandTable.Typed typed, int attempt) {
        Inbound command = clock.moment()
                .inbound(
                        state.waiting(),
                        Inbound.Kind.COMMAND,
                        Inbound.State.DONE,
                        message.source(),
                        message.text(),
                        message.attachments(),
                        Admitting.named(message));
        return new Decided(
                command,
                attempt > Deciding.ATTEMPTS
                        ? CommandOutcome.reply(CommandSteps.LOST_RACE)
                        : commanding.decide(typed, context(state, message.source(), typed.arguments(), command)));
    }

    /** Carries out what a command decided that came in. */
    LaneStep carryOut(LaneState state, Decided decided) {
        return carryOut(state, decided.outcome(), decided.command(), CommandSteps.Origin.ARRIVED);
    }

    /** Runs a command that waits in the queue: one that a crash cut off, or that the lane gave itself. */
    LaneStep queued(LaneState state, Inbound command, int attempt) {
        if (!state.waiting().has(command)) {
            return LaneStep.none(state);
        }
        Optional<CommandTable.Typed> typed = commanding.read(command.text());
        CommandOutcome outcome = typed.isEmpty() || attempt > Deciding.ATTEMPTS
                ? CommandOutcome.reply(CommandSteps.LOST_RACE)
                : commanding.decide(
                        typed.get(),
                        context(state, command.source(), typed.get().arguments(), command));
        return carryOut(state, outcome, command, CommandSteps.Origin.ADMITTED);
    }

    /** Goes on with a command once its summary is there, or once it is known that there is none. */
    LaneStep summarised(LaneState state, TurnSlot.Summarising slot, SummaryReport report, int attempt) {
        if (!state.waiting().has(slot.command())) {
            return LaneStep.none(state);
        }
        CommandContext context = context(state, slot.command().source(), "", slot.command());
        CommandOutcome outcome = attempt > Deciding.ATTEMPTS
                ? CommandOutcome.reply(CommandSteps.LOST_RACE)
                : (report.succeeded() ? slot.wanted().then() : slot.wanted().otherwise()).apply(context, report.text());
        return carryOut(state, outcome, slot.command(), CommandSteps.Origin.ADMITTED);
    }

    /** Carries out what an operator orders. */
    LaneStep ordered(LaneState state, LaneInput.Ordered ordered, int attempt) {
        SessionSource source = state.lane()
                .flatMap(l -> l.entry().origin())
                .orElseGet(
                        () -> SessionSource.builder(Platform.LOCAL, "operator").build());
        Inbound nobody = clock.moment()
                .inbound(
                        state.waiting(),
                        Inbound.Kind.COMMAND,
                        Inbound.State.DONE,
                        source,
                        "",
                        List.of(),
                        Optional.empty());
        Optional<CommandOutcome> outcome = ordered.order().apply(context(state, source, "", nobody));
        return outcome.isEmpty() || attempt > Deciding.ATTEMPTS
                ? new LaneStep.Draft(state).then(new Effect.Answer(false)).done()
                : carryOut(state, outcome.get(), nobody, CommandSteps.Origin.ORDERED);
    }

    private LaneStep carryOut(LaneState state, CommandOutcome outcome, Inbound command, CommandSteps.Origin origin) {
        return CommandSteps.carryOut(state, outcome, command, origin, waits(), clock.moment());
    }

    /** Returns what people are told whose input does not run now; absent where it does. */
    private Optional<String> waits() {
        return gateway.stopping()
                .map(Stopping::queued)
                .or(() -> gateway.isHeld() ? Optional.of(BusyPolicy.HELD) : Optional.empty());
    }

    private CommandContext context(LaneState state, SessionSource source, String arguments, Inbound command) {
        return commanding.context(view(state, command), source, arguments, command.attachments(), clock.now());
    }

    private LaneView view(LaneState state, Inbound command) {
        Waiting others = state.waiting().without(List.of(command));
        return new LaneView(
                clock.lane(),
                state.lane(),
                running(state),
                state.slot().isSummarising(),
                reading.items(state.with(others)).size(),
                neighbours.runningBeside(clock.lane(), command.source()));
    }

    /** Returns the running turn as commands see it. */
    private Optional<RunningTurn> running(LaneState state) {
        return state.slot()
                .active()
                .map(turn -> new RunningTurn(
                        turn.plan().turn().id(),
                        turn.plan().session(),
                        turn.plan().turn().startedAt(),
                        agent.isPresent(),
                        turn.question(),
                        agent.activity()));
    }
}
