package dev.parley.application.commands;

import dev.parley.application.command.ChatCommand;
import dev.parley.application.command.CommandContext;
import dev.parley.application.command.CommandOutcome;
import dev.parley.application.command.Flags;
import dev.parley.application.recovery.RestartRequest;
import java.util.Optional;

/** Restarts the gateway (P7.48). */
final class RestartCommand implements ChatCommand {
    @Override
    public String name() {
        return "restart";
    }

    @Override
    public String usage() {
        return "/restart";
    }

    @Override
    public String summary() {
        return "restarts the gateway (admins)";
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
        if (!context.admin()) {
            return CommandOutcome.reply("Only an admin may restart the gateway.");
        }
        if (context.around().stopping()) {
            return CommandOutcome.reply("The gateway is stopping already.");
        }
        RestartRequest request = RestartRequest.by(context.source());
        if (context.source().messageId().isEmpty()
                && RestartRequest.isRepeated(request, context.storage().meta(), context.now())) {
            return CommandOutcome.reply("").storing(RestartRequest.forgotten());
        }
        return CommandOutcome.reply("The gateway is restarting.")
                .storing(request.put())
                .with(CommandOutcome.Effect.RESTART);
    }
}
