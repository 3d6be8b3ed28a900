package dev.parley.domain.turn;

import java.util.Optional;

/**
 * The message that a received one replies to.
 *
 * @param messageId its id on the platform
 * @param author who wrote it, as people see the name
 * @param text what it says, as far as the platform hands it over
 * @param ours whether this gateway sent it
 */
public record ReplyTo(String messageId, Optional<String> author, Optional<String> text, boolean ours) {
    /** A reply to a message of which nothing but its id is known. */
    public static ReplyTo of(String messageId) {
        return new ReplyTo(messageId, Optional.empty(), Optional.empty(), false);
    }

    /** Returns this without what people wrote. */
    public ReplyTo withoutContent() {
        return new ReplyTo(messageId, Optional.empty(), Optional.empty(), ours);
    }
}
