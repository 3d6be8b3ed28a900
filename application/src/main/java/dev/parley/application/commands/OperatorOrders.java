package dev.parley.application.commands;

import dev.parley.application.command.CommandContext;
import dev.parley.application.command.CommandOutcome;
import dev.parley.application.store.Explanation;
import dev.parley.application.store.LaneAccess;
import dev.parley.application.store.SessionTransitions;
import dev.parley.domain.change.Change;
import dev.parley.domain.change.Precondition;
import dev.parley.domain.change.SessionEdit;
import dev.parley.domain.session.SessionEntry;
import dev.parley.domain.session.SessionId;
import dev.parley.domain.source.SessionSource;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** Changes of a lane that were asked for outside it: by an operator, or in another lane of its thread. Pure. */
public final class OperatorOrders {
    private OperatorOrders() {}

    /** Begins a lane anew for an operator; nothing where there is no such lane. */
    public static Optional<CommandOutcome> reset(CommandContext context) {
        return context.current()
                .map(lane -> renewed(context, context.newSessionId(), "operator", "", Optional.empty()));
    }

    /**
     * Takes a lane's latest reset back for an operator, as {@code /unreset} does for its people; nothing where there is none to be
     * taken back, or a turn runs.
     */
    public static Optional<CommandOutcome> unreset(CommandContext context) {
        return Optional.of(new UnresetCommand().run(context))
                .filter(outcome -> context.running().isEmpty())
                .filter(outcome -> !outcome.changes().isEmpty())
                .map(OperatorOrders::byOperator);
    }

    /** Takes a lane's suspension back for an operator, as {@code /resume} does; nothing where it is not suspended. */
    public static Optional<CommandOutcome> unsuspend(CommandContext context) {
        return context.entry().filter(SessionEntry::isSuspended).flatMap(entry -> resume(context, entry.sessionId()));
    }

    /**
     * Has a lane go back to a session for an operator; nothing where there is no such session, where the lane or another one is in it,
     * or where an agent works for the lane.
     */
    public static Optional<CommandOutcome> resume(CommandContext context, SessionId session) {
        return Optional.of(session)
                .filter(any -> !context.isBusy() && context.current().isPresent())
                .map(wanted -> ResumeCommand.goBack(context, wanted))
                .filter(outcome -> !outcome.changes().isEmpty())
                .map(OperatorOrders::byOperator);
    }

    /** What a command would have answered is for nobody here, and the lane's history says that nobody in the chat asked for it. */
    private static CommandOutcome byOperator(CommandOutcome outcome) {
        List<Change> changes = outcome.changes().stream()
                .map(change -> change instanceof Change.AppendHistory history
                        ? new Change.AppendHistory(Explanation.byOperator(history.event()))
                        : change)
                .toList();
        return new CommandOutcome(
                "",
                outcome.preconditions(),
                changes,
                outcome.effects(),
                outcome.enqueue(),
                outcome.decision(),
                outcome.summarise());
    }

    /** Returns an order that is followed only where the lane stands as it did when the operator looked at it. */
    public static Function<CommandContext, Optional<CommandOutcome>> seenAt(
            long epoch, Function<CommandContext, Optional<CommandOutcome>> order) {
        return context ->
                context.current().filter(lane -> lane.epoch() == epoch).flatMap(lane -> order.apply(context));
    }

    static CommandOutcome renewed(
            CommandContext context, SessionId id, String reason, String reply, Optional<String> title) {
        CommandOutcome outcome = CommandOutcome.reply(reply)
                .with(
                        CommandOutcome.Effect.DROP_TURN,
                        CommandOutcome.Effect.CLEAR_QUEUE,
                        CommandOutcome.Effect.CLOSE_AGENT);
        if (context.current().isPresent()) {
            return outcome.applying(SessionTransitions.renew(
                    context.current().get(), id, context.now(), reason, Optional.empty(), title));
        }
        CommandOutcome created = outcome.applying(
                LaneAccess.decide(context.factsOfNew(), id, false).transition());
        return title.map(t -> created.requiring(new Precondition.TitleFree(t, id))
                        .storing(new Change.EditSession(id, new SessionEdit.Retitle(Optional.of(t)))))
                .orElse(created);
    }

    /** Stops a lane's task at the request of another member of its thread; does nothing if none runs (Z12.2). */
    public static Optional<CommandOutcome> stopFor(CommandContext context, SessionSource other) {
        return context.running()
                .flatMap(running -> suspended(context, "stop"))
                .map(outcome -> outcome.replying("Your task was stopped by "
                                + other.userName().orElse("another participant")
                                + "." + dropped(context) + " Your next message starts a fresh session;"
                                + " /resume goes back to this one.")
                        .with(CommandOutcome.Effect.CLEAR_QUEUE));
    }

    /** Returns a sentence about what waited in the queue that is cleared; empty where nothing did. */
    static String dropped(CommandContext context) {
        return context.view().depth() == 0 ? "" : " What waited in the queue was dropped.";
    }

    /** Suspends a lane for an operator; nothing where there is no such lane. */
    public static Optional<CommandOutcome> suspend(CommandContext context) {
        return suspended(context, "operator");
    }

    static Optional<CommandOutcome> suspended(CommandContext context, String reason) {
        return context.current()
                .map(lane -> CommandOutcome.reply("")
                        .with(CommandOutcome.Effect.DROP_TURN, CommandOutcome.Effect.RELEASE_AGENT)
                        .applying(SessionTransitions.suspend(lane, context.now(), reason)));
    }
}
