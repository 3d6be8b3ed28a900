package dev.parley.application.port;

import dev.parley.domain.key.SessionKey;

/**
 * What an operator asks of a lane, stored for the life that works on it.
 *
 * @param id its id
 * @param lane the lane
 * @param what what to do
 * @param epoch the lane's epoch when it was asked: nothing is done where the lane has moved since
 */
public record PostedOrder(String id, SessionKey lane, What what, long epoch) {
    /** What can be asked of a lane. */
    public enum What {
        /** Begin it anew. */
        RESET,
        /** Make its next message begin it anew. */
        SUSPEND,
        /** Take its suspension back. */
        UNSUSPEND,
        /** Take its latest reset back. */
        UNRESET,
        /** End its running turn. */
        INTERRUPT
    }
}
