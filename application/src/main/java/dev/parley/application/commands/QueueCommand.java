package dev.parley.application.commands;

import dev.parley.application.command.ChatCommand;
import dev.parley.application.command.CommandContext;
import dev.parley.application.command.CommandOutcome;
import dev.parley.domain.turn.Inbound;
import java.util.List;

/** Runs a text, with what came along with it, as one whole turn after the others (Q8.20, Q8.24). */
final class QueueCommand implements ChatCommand {
    @Override
    public String name() {
        return "queue";
    }

    @Override
    public List<String> aliases() {
        return List.of("q");
    }

    @Override
    public String usage() {
        return "/queue TEXT";
    }

    @Override
    public String summary() {
        return "runs a text as a turn of its own, after the others";
    }

    @Override
    public When when() {
        return When.ALWAYS;
    }

    @Override
    public CommandOutcome run(CommandContext context) {
        boolean media = !context.request().attachments().isEmpty();
        if (context.arguments().isBlank() && !media) {
            return CommandOutcome.reply("Usage: /queue TEXT");
        }
        boolean idle = context.running().isEmpty() && context.view().depth() == 0;
        int depth = context.view().depth() + 1;
        String reply = idle ? "" : CommandOutcome.Enqueue.WAITS + (depth > 1 ? " " + depth + " are waiting." : "");
        return CommandOutcome.reply(reply)
                .enqueueing(new CommandOutcome.Enqueue(Inbound.Kind.QUEUED, context.arguments(), true));
    }
}
