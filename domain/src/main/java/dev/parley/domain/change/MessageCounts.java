package dev.parley.domain.change;

import dev.parley.domain.session.Session;
import dev.parley.domain.transcript.Message;
import dev.parley.domain.transcript.ToolCalls;
import dev.parley.domain.usage.Counter;
import java.util.List;

/**
 * What a session counts of messages that were stored in it.
 *
 * @param messages messages
 * @param toolCalls the tool calls they ask for
 */
public record MessageCounts(long messages, long toolCalls) {
    /** Counts messages that were stored; those that were skipped are not among them. */
    public static MessageCounts of(List<Message> stored) {
        return new MessageCounts(
                stored.size(),
                stored.stream()
                        .mapToLong(message ->
                                message.toolCalls().map(ToolCalls::count).orElse(0))
                        .sum());
    }

    /** Returns the session with these added, after an {@link Change.AppendMessages}. */
    public Session addedTo(Session session) {
        return session.toBuilder()
                .counts(Counter.sum(session.messageCount(), messages), Counter.sum(session.toolCallCount(), toolCalls))
                .build();
    }

    /** Returns the session with these and no others, after a {@link Change.ReplaceMessages}. */
    public Session setOn(Session session) {
        return session.toBuilder().counts(messages, toolCalls).build();
    }
}
