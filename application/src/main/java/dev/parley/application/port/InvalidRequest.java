package dev.parley.application.port;

import org.jspecify.annotations.Nullable;

/** The caller asked for something that cannot be: a wrong argument, a wrong setting. Next step: correct it (exit code 2). */
public final class InvalidRequest extends ParleyException {
    private static final long serialVersionUID = 1L;

    /** Says what is wrong, where, and what to do. */
    public InvalidRequest(String message) {
        this(message, null);
    }

    /** Says what is wrong, where, and what to do, and what showed it. */
    public InvalidRequest(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
