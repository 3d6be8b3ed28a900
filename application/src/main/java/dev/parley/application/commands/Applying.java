package dev.parley.application.commands;

import dev.parley.application.command.CommandContext;
import dev.parley.domain.change.Change;
import dev.parley.domain.session.SessionEntry;
import dev.parley.domain.transcript.Message;
import dev.parley.domain.transcript.StoredMessage;
import dev.parley.domain.usage.TokenUsage;
import java.util.List;
import java.util.Optional;

/** What several commands store. */
final class Applying {
    /** The answer where a chat has no session yet. */
    static final String NO_SESSION = "There is no session yet. Send a message first.";

    private Applying() {}

    /** Returns the change that notes that the size of the next prompt is not known, because the conversation is another one. */
    static Change promptChanged(CommandContext context, SessionEntry entry) {
        return new Change.TouchLane(
                entry.key(), entry.sessionId(), context.now(), TokenUsage.NONE, 0.0, Optional.of(0L), Optional.empty());
    }

    /** Returns copies of messages under ids of their own, in order; everything else stays. */
    static List<Message> copies(CommandContext context, List<StoredMessage> messages) {
        return messages.stream()
                .map(m -> m.message().toBuilder().id(context.newMessageId()).build())
                .toList();
    }

    /** Returns a number with its noun. */
    static String count(long number, String noun) {
        return number + " " + noun + (number == 1 ? "" : "s");
    }
}
