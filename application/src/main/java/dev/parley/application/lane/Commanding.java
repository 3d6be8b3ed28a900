package dev.parley.application.lane;

import dev.parley.application.command.ChatCommand;
import dev.parley.application.command.CommandContext;
import dev.parley.application.command.CommandOutcome;
import dev.parley.application.command.CommandRequest;
import dev.parley.application.command.CommandTable;
import dev.parley.application.command.LaneView;
import dev.parley.application.command.Stores;
import dev.parley.application.command.Surroundings;
import dev.parley.application.port.Authorization;
import dev.parley.application.port.Received;
import dev.parley.application.port.StorageUnavailable;
import dev.parley.domain.source.SessionSource;
import dev.parley.domain.turn.Attachment;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Recognises commands and has them decide. Safe for concurrent use.
 *
 * @param table the commands
 * @param stores what they read from
 * @param around the gateway around them, as it is now
 * @param authorization knows the admins
 */
public record Commanding(
        CommandTable table, Stores stores, Supplier<Surroundings> around, Authorization authorization) {
    private static final String BUSY_REPLY =
            "The agent is running. Wait for its answer, or stop it with /stop, and try again.";

    /** Returns the command that a text reads as; nothing for plain text. */
    Optional<CommandTable.Typed> read(String text) {
        return table.read(text);
    }

    /** Returns what a message reads as: a command, or the answer to an approval that is written without one. */
    Optional<CommandTable.Typed> read(LaneState state, Received message) {
        return read(message.text()).or(() -> BusyPolicy.approval(state, message).flatMap(this::read));
    }

    /** Returns whether there is a command. */
    boolean has(String text) {
        return read(text).flatMap(CommandTable.Typed::command).isPresent();
    }

    /** Returns whether somebody is an admin; asks a plug-in. */
    boolean isAdmin(SessionSource source) {
        return authorization.isAdmin(source);
    }

    /** Returns what a command decides on. */
    CommandContext context(
            LaneView view,
            SessionSource source,
            boolean admin,
            String arguments,
            List<Attachment> attachments,
            Instant now) {
        return new CommandContext(
                new CommandRequest(source, arguments, attachments, admin, now), view, stores, around.get());
    }

    /** Returns what a command decides; one that there is not, or not now, is answered. */
    CommandOutcome decide(CommandTable.Typed typed, CommandContext context) {
        if (typed.command().isEmpty()) {
            return CommandOutcome.reply("Unknown command /" + typed.name() + ". /help lists the commands.");
        }
        ChatCommand command = typed.command().get();
        Optional<CommandOutcome> refused =
                command.flags().flatMap(flags -> flags.refusal(typed.name(), command.usage(), typed.arguments()));
        if (refused.isPresent()) {
            return refused.get();
        }
        if (context.isBusy() && command.when() == ChatCommand.When.IDLE) {
            return CommandOutcome.reply(BUSY_REPLY);
        }
        return answered(() -> command.run(context));
    }

    /** Returns what a command decides; one that the store keeps from deciding is answered. */
    static CommandOutcome answered(Supplier<CommandOutcome> command) {
        try {
            return command.get();
        } catch (StorageUnavailable e) {
            return CommandOutcome.reply("Not available now: " + e.getMessage());
        }
    }
}
