package dev.parley.domain.session;

import dev.parley.domain.key.SessionKey;

/**
 * A conversation slot as it is stored: its current entry and its epoch.
 *
 * @param entry the current session's entry
 * @param epoch rises by one whenever the lane's session, its suspension or its claim to the queue changes ({@code /new},
 *     {@code /stop}, resets, switches, suspensions); activity, usage and clearing a mark leave it alone. Starts at 1; 0 is the
 *     epoch of a lane that does not exist
 */
public record Lane(SessionEntry entry, long epoch) {
    /** The epoch of a lane that does not exist. */
    public static final long ABSENT = 0;

    /** Returns the lane's key. */
    public SessionKey key() {
        return entry.key();
    }
}
