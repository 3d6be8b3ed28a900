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

    /** Returns the command that a message reads as; words that are one without a slash are none with something attached. */
    Optional<CommandTable.Typed> read(Received message) {
        return CommandTable.hasSlash(message.text()) || message.attachments().isEmpty()
                ? read(message.text())
                : Optional.empty();
    }

    /** Returns what a message reads as on a lane: what its agent waits for goes before words that are a command without a slash (Q8.1). */
    Optional<CommandTable.Typed> read(LaneState state, Received message) {
        return BusyPolicy.isAwaited(state, message)
                ? BusyPolicy.approval(state, message).flatMap(this::read)
                : read(message);
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
            String name,
            String arguments,
            List<Attachment> attachments,
            Instant now) {
        return new CommandContext(
                new CommandRequest(source, name, arguments, attachments, admin, now), view, stores, around.get());
    }

    /** Returns what a command decides; one that there is not, or not now, is answered. */
    CommandOutcome decide(CommandTable.Typed typed, CommandContext context) {
        if (typed.command().isEmpty()) {
            return saying(
                    CommandOutcome.reply("Unknown command /" + typed.name() + ". /help lists the commands."),
                    context.request().attachments());
        }
        ChatCommand command = typed.command().get();
        Optional<CommandOutcome> refused =
                command.flags().flatMap(flags -> flags.refusal(typed.name(), command.usage(), typed.arguments()));
        if (refused.isPresent()) {
            return saying(refused.get(), context.request().attachments());
        }
        if (context.isBusy() && command.when() == ChatCommand.When.IDLE) {
            return saying(CommandOutcome.reply(BUSY_REPLY), context.request().attachments());
        }
        return saying(command.run(context), context.request().attachments());
    }

    /** Returns an outcome that says what it does not take: nothing that was sent is lost without a word. */
    private static CommandOutcome saying(CommandOutcome outcome, List<Attachment> attachments) {
        if (attachments.isEmpty()
                || outcome.enqueue()
                        .filter(CommandOutcome.Enqueue::keepAttachments)
                        .isPresent()) {
            return outcome;
        }
        String left = attachments.size() == 1
                ? "\nThe attachment was not taken; send it as a message of its own."
                : "\nThe attachments were not taken; send them as a message of their own.";
        return outcome.replying((outcome.reply() + left).strip());
    }
}
