package dev.parley.application.commands;

import dev.parley.application.command.ChatCommand;
import java.util.List;
import java.util.Optional;

/** The commands that every gateway brings: new, stop, queue, steer, approve, deny, status, why and restart. */
public final class LaneCommands {
    private LaneCommands() {}

    /** Returns the command that begins a new session, reached by {@code triggers}; absent where there are none. */
    public static Optional<ChatCommand> renewing(List<String> triggers) {
        return triggers.isEmpty() ? Optional.empty() : Optional.of(new NewCommand(triggers));
    }

    /** Returns the others. */
    public static List<ChatCommand> all() {
        return List.of(
                new StopCommand(),
                new QueueCommand(),
                new SteerCommand(),
                new ApproveCommand(),
                new DenyCommand(),
                new StatusCommand(),
                new WhyCommand(),
                new RestartCommand());
    }
}
