package dev.parley.application.command;

import java.util.List;
import java.util.Optional;

/**
 * A slash command of a chat. Runs in its lane's turn of the gateway: nothing else of the lane runs meanwhile, so it must only
 * read and decide; what it wants stored and done is its outcome. Holds no state; safe for concurrent use.
 */
public interface ChatCommand {
    /** Returns the name, lower-case, without the slash. */
    String name();

    /** Returns other names, lower-case, without the slash. */
    default List<String> aliases() {
        return List.of();
    }

    /** Returns how it is written, such as {@code /title [text]}. */
    String usage();

    /** Returns what it does, in one line for a list of commands. */
    String summary();

    /** Returns whether it may run while the agent does. */
    When when();

    /**
     * Returns the flags it knows: one it does not know is answered with its usage, and the command does not run. Absent where it
     * looks at its arguments itself, or passes them on as they are.
     */
    default Optional<Flags> flags() {
        return Optional.empty();
    }

    /**
     * Decides what the command does. Called again with fresh facts where the lane changed before the outcome was stored. Called on a
     * thread of its own while its lane waits; a command that has not decided after twenty seconds is given up, and its writer is told so.
     *
     * @throws dev.parley.application.port.StorageUnavailable where a read fails; the user is told that the command is not available now, the operator why
     */
    CommandOutcome run(CommandContext context);

    /** When a command may run (Q8.29, Q8.30). */
    enum When {
        /** Also while a turn is running. */
        ALWAYS,
        /** Only while no turn is running; otherwise the user is asked to wait or to stop the turn. */
        IDLE
    }
}
