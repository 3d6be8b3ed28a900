package dev.parley.application.commands;

import dev.parley.application.command.ChatCommand;
import dev.parley.application.command.CommandContext;
import dev.parley.application.command.CommandOutcome;
import dev.parley.application.command.Flags;
import dev.parley.application.store.SessionTransitions;
import dev.parley.domain.change.Change;
import java.util.List;
import java.util.Optional;

/** Stops the running task; the next message begins anew (Z12.2). */
final class StopCommand implements ChatCommand {
    @Override
    public String name() {
        return "stop";
    }

    @Override
    public String usage() {
        return "/stop";
    }

    @Override
    public String summary() {
        return "stops the running task; the next message begins anew";
    }

    @Override
    public When when() {
        return When.ALWAYS;
    }

    @Override
    public Optional<Flags> flags() {
        return Optional.of(Flags.anywhere());
    }

    @Override
    public CommandOutcome run(CommandContext context) {
        if (!context.isBusy()) {
            List<Change> forgotten = forgotten(context);
            return idle(context, !forgotten.isEmpty()).storing(forgotten);
        }
        return OperatorOrders.suspended(context, "stop")
                .orElse(CommandOutcome.reply(""))
                .replying("Stopped." + OperatorOrders.dropped(context) + " Your next message starts a fresh session;"
                        + " /resume goes back to this one.")
                .with(CommandOutcome.Effect.CLEAR_QUEUE);
    }

    private static CommandOutcome idle(CommandContext context, boolean wasCutOff) {
        if (context.view().depth() > 0) {
            return CommandOutcome.reply("No active task to stop; what waited in the queue was dropped.")
                    .with(CommandOutcome.Effect.CLEAR_QUEUE);
        }
        if (!context.view().beside().isEmpty()) {
            int others = context.view().beside().size();
            return CommandOutcome.reply("Stopping the running task of "
                            + (others == 1 ? "another participant" : others + " other participants")
                            + " of this thread.")
                    .with(CommandOutcome.Effect.STOP_BESIDE);
        }
        return CommandOutcome.reply(
                wasCutOff
                        ? "No active task to stop; the one that was cut off is not resumed."
                        : "No active task to stop.");
    }

    /** Returns the changes after which a task that was cut off is not resumed: nobody wants it to go on by itself (P7.33). */
    private static List<Change> forgotten(CommandContext context) {
        return context.current()
                .map(lane ->
                        SessionTransitions.takeBackMark(lane, context.now()).changes())
                .orElse(List.of());
    }
}
