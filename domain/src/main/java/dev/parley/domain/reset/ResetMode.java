package dev.parley.domain.reset;

/** What makes a session end by itself (R6.1). */
public enum ResetMode {
    /** Nothing does. */
    NONE,
    /** A time without activity. */
    IDLE,
    /** A fixed hour of the day. */
    DAILY,
    /** Either, whichever comes first. */
    BOTH;

    /** Whether inactivity ends a session. */
    public boolean includesIdle() {
        return this == IDLE || this == BOTH;
    }

    /** Whether the daily boundary ends a session. */
    public boolean includesDaily() {
        return this == DAILY || this == BOTH;
    }
}
