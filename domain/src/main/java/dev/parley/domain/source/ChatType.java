package dev.parley.domain.source;

/**
 * What kind of chat a message came from. Any text is possible (platforms bring their own, e.g. {@code forum}); it is
 * kept as it is, and only exactly {@code dm} is a direct message (S1.4).
 *
 * @param value never empty
 */
public record ChatType(String value) implements Comparable<ChatType> {
    public static final ChatType DM = new ChatType("dm");
    public static final ChatType GROUP = new ChatType("group");
    public static final ChatType CHANNEL = new ChatType("channel");
    public static final ChatType THREAD = new ChatType("thread");

    /** @throws IllegalArgumentException if the value is empty */
    public ChatType {
        if (value.isEmpty()) {
            throw new IllegalArgumentException("A chat type needs a value, e.g. 'dm' or 'group'");
        }
    }

    /** The chat type of that value; see the constructor. */
    public static ChatType of(String value) {
        return new ChatType(value);
    }

    /** Whether this is exactly {@code dm}, in that case and without blanks. */
    public boolean isDm() {
        return equals(DM);
    }

    /** By value. */
    @Override
    public int compareTo(ChatType other) {
        return value.compareTo(other.value);
    }

    @Override
    public String toString() {
        return value;
    }
}
