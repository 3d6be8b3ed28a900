package dev.parley.domain.transcript;

import dev.parley.domain.session.SessionId;

/**
 * A message as a store returns it.
 *
 * @param sequence its place in the order of all messages of the store: rising, never used twice
 * @param session the session it belongs to
 * @param message the message
 * @param state whether it is part of the conversation
 */
public record StoredMessage(long sequence, SessionId session, Message message, State state) {
    /** The highest number that an imported message keeps: numbers rise forever and are whole in every JSON reader, so none is used up by an import. */
    public static final long HIGHEST_KEPT = 1L << 52;

    /** Whether a message is part of its conversation. */
    public enum State {
        /** Part of the conversation. */
        ACTIVE,
        /** Taken back: neither replayed nor found, kept for the record. */
        REWOUND,
        /** Stands before a summary: not replayed, still found by search. */
        COMPACTED
    }

    /** Returns true where the message is part of the conversation. */
    public boolean isActive() {
        return state == State.ACTIVE;
    }
}
