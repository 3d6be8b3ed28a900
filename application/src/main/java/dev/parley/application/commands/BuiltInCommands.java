package dev.parley.application.commands;

import dev.parley.application.command.ChatCommand;
import java.util.List;

/**
 * The commands on sessions and transcripts, to be given to a gateway beside those it brings itself. A build may leave some out or
 * put its own before them: the first of a name wins.
 */
public final class BuiltInCommands {
    private BuiltInCommands() {}

    /** Returns the commands title, sessions, resume, unreset, undo, retry, compress, branch, start, usage and help. */
    public static List<ChatCommand> all() {
        ResumeCommand resume = new ResumeCommand();
        return List.of(
                new TitleCommand(),
                new SessionsCommand(resume),
                resume,
                new UnresetCommand(),
                new UndoCommand(),
                new RetryCommand(),
                new CompressCommand(),
                new BranchCommand(),
                new StartCommand(),
                new UsageCommand(),
                new HelpCommand());
    }
}
