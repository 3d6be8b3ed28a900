package dev.parley.application.commands;

import dev.parley.application.command.ChatCommand;
import dev.parley.application.command.CommandContext;
import dev.parley.application.command.CommandOutcome;

/** The command that some platforms send when a chat with a bot is opened; it does nothing and answers nothing (Q8.29). */
final class StartCommand implements ChatCommand {
    @Override
    public String name() {
        return "start";
    }

    @Override
    public String usage() {
        return "/start";
    }

    @Override
    public String summary() {
        return "sent by some platforms when a chat is opened; does nothing";
    }

    @Override
    public When when() {
        return When.ALWAYS;
    }

    @Override
    public CommandOutcome run(CommandContext context) {
        return CommandOutcome.reply("");
    }
}
