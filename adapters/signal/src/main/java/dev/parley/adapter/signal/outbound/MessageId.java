package dev.parley.adapter.signal.outbound;

import java.util.Optional;

/**
 * What names a message in Signal: who sent it, and when by their clock.
 *
 * @param author the author's uuid, or their number where the uuid is not known
 * @param timestamp the time in milliseconds
 */
public record MessageId(String author, long timestamp) {
    /** Returns the id as text. */
    public static String text(String author, long timestamp) {
        return author + ":" + timestamp;
    }

    /** Reads what {@link #text} returned; absent where a text is nothing of that form. */
    public static Optional<MessageId> of(String text) {
        int colon = text.lastIndexOf(':');
        try {
            return colon > 0
                    ? Optional.of(new MessageId(text.substring(0, colon), Long.parseLong(text.substring(colon + 1))))
                    : Optional.empty();
        } catch (NumberFormatException notOurs) {
            return Optional.empty();
        }
    }
}
