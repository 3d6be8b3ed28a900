package dev.parley.bootstrap.cli;

/** What the program's exit says. */
public enum ExitCode {
    /** Done; also a gateway that was asked to stop. */
    DONE(0),
    /** The answer is no: not found, an expectation differs, a check failed; also an unexpected error. */
    NO(1),
    /** Wrong usage or configuration, or a home that is in use. */
    USAGE(2),
    /** The storage cannot be used now. */
    UNAVAILABLE(3),
    /** The storage is damaged. */
    CORRUPT(4),
    /** A planned restart. */
    RESTART(75),
    /** Interrupted by the user. */
    INTERRUPTED(130);

    private final int code;

    ExitCode(int code) {
        this.code = code;
    }

    /** Returns the number. */
    public int code() {
        return code;
    }
}
