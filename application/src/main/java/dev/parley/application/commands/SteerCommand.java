package dev.parley.application.commands;

import dev.parley.application.command.ChatCommand;
import dev.parley.application.command.CommandContext;
import dev.parley.application.command.CommandOutcome;
import dev.parley.domain.turn.Inbound;

/**
 * Hands a text to the running task; runs it as a turn if no task is running (Z12.13). A running task takes only text: what comes with
 * attachments waits for the next turn.
 */
final class SteerCommand implements ChatCommand {
    @Override
    public String name() {
        return "steer";
    }

    @Override
    public String usage() {
        return "/steer TEXT";
    }

    @Override
    public String summary() {
        return "hands a text to the running task";
    }

    @Override
    public When when() {
        return When.ALWAYS;
    }

    @Override
    public CommandOutcome run(CommandContext context) {
        boolean media = !context.request().attachments().isEmpty();
        if (context.arguments().isBlank() && !media) {
            return CommandOutcome.reply("Usage: /steer TEXT");
        }
        if (context.running().isEmpty()) {
            return CommandOutcome.reply("").runningAsTurn(context.arguments());
        }
        if (media) {
            return CommandOutcome.reply(
                            "A running task takes only text, so this waits for the next turn with what came along.")
                    .enqueueing(new CommandOutcome.Enqueue(Inbound.Kind.QUEUED, context.arguments(), true));
        }
        return CommandOutcome.reply("")
                .enqueueing(new CommandOutcome.Enqueue(Inbound.Kind.STEER, context.arguments(), false));
    }
}
