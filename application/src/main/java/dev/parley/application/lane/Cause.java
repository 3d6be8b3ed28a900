package dev.parley.application.lane;

/** Why an agent was asked to end. */
enum Cause {
    /** Somebody wrote. */
    FOLLOW_UP,
    /** An operator asked for it. */
    OPERATOR,
    /** It did nothing for too long. */
    TIMEOUT,
    /** Nobody answered what it asked. */
    UNANSWERED,
    /** The gateway stops. */
    DRAIN
}
