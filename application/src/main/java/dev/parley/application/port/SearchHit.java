package dev.parley.application.port;

import dev.parley.domain.session.SessionId;
import dev.parley.domain.transcript.Role;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * One message that was found (storage 5.4).
 *
 * @param sequence the message's place in the order of all messages
 * @param session its session
 * @param role who speaks
 * @param at when
 * @param snippet the place of the match; absent where the message has no content and the match is elsewhere
 * @param context the message before, the message, and the message behind it
 * @param source the session's source
 * @param model the session's model
 * @param sessionStarted the session's start
 * @param toolName the tool of a tool result
 */
public record SearchHit(
        long sequence,
        SessionId session,
        Role role,
        Instant at,
        Optional<String> snippet,
        List<Line> context,
        String source,
        Optional<String> model,
        Instant sessionStarted,
        Optional<String> toolName) {
    public SearchHit {
        context = List.copyOf(context);
    }

    /**
     * A line of context.
     *
     * @param role who speaks
     * @param content the first 200 characters
     */
    public record Line(Role role, String content) {}
}
