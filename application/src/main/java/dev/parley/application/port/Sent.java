package dev.parley.application.port;

import java.util.List;

/**
 * What a platform made of the part of a message that it has just taken.
 *
 * @param messageIds the messages it became, as the platform names them, in order; empty where it names none
 * @param more whether parts of the message are left
 */
public record Sent(List<String> messageIds, boolean more) {
    /** The whole message, or what was left of it, under no name. */
    public static final Sent UNNAMED = new Sent(List.of(), false);

    public Sent {
        messageIds = List.copyOf(messageIds);
    }

    /** Returns the last part of a message. */
    public static Sent last(String messageId) {
        return new Sent(List.of(messageId), false);
    }

    /** Returns a part of a message that others follow. */
    public static Sent part(String messageId) {
        return new Sent(List.of(messageId), true);
    }
}
