package dev.parley.bootstrap.chaos;

/**
 * Something that must not be.
 *
 * @param kind which promise is broken
 * @param what what it is about, and how it is broken
 */
record Violation(Kind kind, String what) {
    /** The promises. */
    enum Kind {
        /** Something acknowledged is missing. */
        LOST,
        /** Something ran, or took effect, twice. */
        DOUBLED,
        /** Something of a lane came before what was said, or stored, earlier. */
        DISORDERED,
        /** Something is stored for people and did not reach them. */
        UNDELIVERED,
        /** Something reached people, or the agent, that belongs elsewhere or was never stored. */
        MISPLACED,
        /** What was said before was not known to the agent. */
        FORGOTTEN,
        /** A session changed without a reason that holds. */
        UNEXPLAINED,
        /** A session that was left goes on. */
        REVIVED,
        /** Something is still to be done although nobody does it any more. */
        UNFINISHED
    }

    @Override
    public String toString() {
        return kind + ": " + what;
    }
}
