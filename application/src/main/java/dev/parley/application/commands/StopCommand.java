package dev.parley.application.commands;

import dev.parley.application.command.ChatCommand;
import dev.parley.application.command.CommandContext;
import dev.parley.application.command.CommandOutcome;
import dev.parley.application.command.Flags;
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
            if (!context.view().beside().isEmpty() && context.view().depth() == 0) {
                int others = context.view().beside().size();
                return CommandOutcome.reply("Stopping the running task of "
                                + (others == 1 ? "another participant" : others + " other participants")
                                + " of this thread.")
                        .with(CommandOutcome.Effect.STOP_BESIDE);
            }
            return context.view().depth() == 0
                    ? CommandOutcome.reply("No active task to stop.")
                    : CommandOutcome.reply("No active task to stop; what waited in the queue was dropped.")
                            .with(CommandOutcome.Effect.CLEAR_QUEUE);
        }
        return OperatorOrders.suspended(context, "stop")
                .orElse(CommandOutcome.reply(""))
                .replying("Stopped." + OperatorOrders.dropped(context) + " Your next message starts a fresh session;"
                        + " /resume goes back to this one.")
                .with(CommandOutcome.Effect.CLEAR_QUEUE);
    }
}
