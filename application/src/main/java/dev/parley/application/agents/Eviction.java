package dev.parley.application.agents;

import dev.parley.domain.key.SessionKey;

/**
 * An agent has left the cache.
 *
 * @param lane the lane it was kept for
 * @param reason why
 */
public record Eviction(SessionKey lane, Reason reason) {
    /** Why an agent leaves the cache. */
    public enum Reason {
        /** More agents are kept than may be, and this one was used least recently. */
        CAPACITY,
        /** It was not used for long. */
        IDLE,
        /** What it is built from has changed. */
        REBUILT,
        /** Somebody else has written to its session. */
        FOREIGN_CHANGE,
        /** A run of it was interrupted, so it must not be used again. */
        INTERRUPTED,
        /** Its session may go on with another agent. */
        RELEASED,
        /** Its session is over. */
        SESSION_OVER,
        /** The gateway stops. */
        SHUTDOWN
    }
}
