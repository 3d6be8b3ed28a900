package dev.parley.application.ability;

import dev.parley.domain.source.Address;

/** A platform that can mark a message that somebody wrote, usually with an emoji. */
public interface Reacting {
    /**
     * Puts a mark on a message, in place of the mark it has.
     *
     * @throws dev.parley.application.port.DeliveryFailed where it was not marked
     */
    void react(Address where, String messageId, Mark mark);

    /** What a mark says. */
    enum Mark {
        /** The agent works on it. */
        RECEIVED,
        /** It is answered. */
        DONE,
        /** It has no answer. */
        FAILED,
        /** Nothing: the mark is taken away. */
        NONE
    }
}
