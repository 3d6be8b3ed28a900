package dev.parley.fakes.proof;

/**
 * Something that must not be.
 *
 * @param kind which promise is broken
 * @param what what it is about, and how it is broken
 */
public record Violation(Kind kind, String what) {
    /** The promises. */
    public enum Kind {
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
        /** Something is still to be done, or held, although nobody does it any more. */
        UNFINISHED,
        /** A node changed a lane that it did not hold, or two nodes held it at once. */
        FENCED,
        /** A node asked the model or sent something for a lane that another node held, and nothing had kept it from knowing. */
        STRAYED
    }

    @Override
    public String toString() {
        return kind + ": " + what;
    }
}
