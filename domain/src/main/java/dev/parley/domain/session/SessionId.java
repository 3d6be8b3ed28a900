package dev.parley.domain.session;

import dev.parley.domain.text.OneLine;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;

/**
 * Names one session: one incarnation of a conversation. Ids made here read {@code YYYYMMDD_HHMMSS_} and eight lower-case
 * hex digits (E2.3); any other text that is safe as a file name is accepted, since other systems write ids of their own.
 *
 * @param value the id: not empty, without {@code ..}, {@code /} or {@code \}, and not starting like a drive letter (E2.6)
 */
public record SessionId(String value) implements Comparable<SessionId> {
    private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("uuuuMMdd_HHmmss");

    public SessionId {
        if (!isSafe(value)) {
            throw new IllegalArgumentException("The session id " + OneLine.quoted(value)
                    + " is not usable: it must not be empty, hold \"..\", \"/\", \"\\\" or control characters, or start"
                    + " with a letter and \":\".");
        }
    }

    /** Returns the id with this text; throws {@link IllegalArgumentException} where it is not safe (E2.6). */
    public static SessionId of(String value) {
        return new SessionId(value);
    }

    /** Returns a gateway id for a session begun at {@code now}, seen in {@code zone}; {@code hex} is eight random digits. */
    public static SessionId begunAt(Instant now, ZoneId zone, String hex) {
        return new SessionId(TIME.format(now.atZone(zone)) + "_" + hex);
    }

    /** Returns true where a text is usable as a session id (E2.6). */
    public static boolean isSafe(String text) {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c < ' ' || c == 0x7f || c == '/' || c == '\\') {
                return false;
            }
        }
        return !text.isEmpty()
                && !text.contains("..")
                && !(text.length() > 1 && Character.isLetter(text.charAt(0)) && text.charAt(1) == ':');
    }

    @Override
    public int compareTo(SessionId other) {
        return value.compareTo(other.value);
    }

    @Override
    public String toString() {
        return value;
    }
}
