package dev.parley.domain.key;

import dev.parley.domain.text.OneLine;

/**
 * The name of a lane: a conversation slot that holds one session at a time. Built by {@link KeyRules}, or read back
 * from storage.
 *
 * @param value never empty; see the constructor for what else it cannot be
 */
public record SessionKey(String value) implements Comparable<SessionKey> {
    /**
     * Checks that the key is safe to use in names and paths (E2.7). A slash inside is legal.
     *
     * @throws IllegalArgumentException if the key is empty, contains {@code ..}, starts with a slash or backslash, or
     *     starts with a letter followed by a colon
     */
    public SessionKey {
        if (value.isEmpty()) {
            throw new IllegalArgumentException("A session key cannot be empty");
        }
        if (value.contains("..")) {
            throw rejected(value, "contains '..'");
        }
        if (value.charAt(0) == '/' || value.charAt(0) == '\\') {
            throw rejected(value, "starts with a slash");
        }
        if (value.length() > 1 && Character.isLetter(value.charAt(0)) && value.charAt(1) == ':') {
            throw rejected(value, "starts like a drive name");
        }
    }

    /** The key of that value; see the constructor. */
    public static SessionKey of(String value) {
        return new SessionKey(value);
    }

    private static IllegalArgumentException rejected(String value, String why) {
        return new IllegalArgumentException("Session key " + OneLine.quoted(value) + " " + why);
    }

    /** By value, char by char. */
    @Override
    public int compareTo(SessionKey other) {
        return value.compareTo(other.value);
    }

    @Override
    public String toString() {
        return value;
    }
}
