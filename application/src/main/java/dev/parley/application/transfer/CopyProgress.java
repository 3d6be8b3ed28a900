package dev.parley.application.transfer;

import java.time.Duration;
import java.util.Optional;

/**
 * How far a copy has come.
 *
 * @param phase what is being copied
 * @param done how much of it is stored
 * @param total how much of it there is; absent where nobody can tell before the end
 * @param perSecond how much is stored per second in this phase; 0 before the first second has passed
 * @param left how long this phase still takes at that rate; absent where that cannot be told
 */
public record CopyProgress(Phase phase, long done, Optional<Long> total, double perSecond, Optional<Duration> left) {
    /** What is copied, in this order. */
    public enum Phase {
        /** The sessions, without their relations. */
        SESSIONS,
        /** The messages of all sessions in their one order, hidden ones too. */
        MESSAGES,
        /** Which session continues which. */
        PARENTS,
        /** The lanes. */
        LANES,
        /** The history of the lanes. */
        HISTORY,
        /** What is received, claimed and to be sent. */
        QUEUE,
        /** The named values, the cursors of platforms and what was used. */
        VALUES,
        /** The lanes that a file names. */
        FOREIGN_LANES,
        /** Nothing any more: both stores are compared. */
        VERIFY
    }
}
