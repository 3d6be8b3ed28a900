package dev.parley.application.commands;

import dev.parley.application.command.ChatCommand;
import dev.parley.application.command.CommandContext;
import dev.parley.application.command.CommandOutcome;
import dev.parley.domain.turn.Inbound;

/** Hands a text to the running task; runs it as a turn where there is none (Z12.13). */
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
        if (context.arguments().isBlank()) {
            return CommandOutcome.reply("Usage: /steer TEXT");
        }
        if (context.running().isEmpty()) {
            return CommandOutcome.reply("").runningAsTurn(context.arguments());
        }
        return CommandOutcome.reply("")
                .enqueueing(new CommandOutcome.Enqueue(Inbound.Kind.STEER, context.arguments(), false));
    }
}
