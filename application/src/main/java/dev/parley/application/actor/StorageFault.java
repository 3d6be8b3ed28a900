package dev.parley.application.actor;

import dev.parley.application.port.StrippedFailure;

/** A store threw what no store may throw, or returned null. Repeating the call may help, but need not. */
public final class StorageFault extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** Says at which call, and what was thrown; that is told without its message, and so are its causes. */
    public StorageFault(String call, Throwable thrown) {
        super(
                call + " failed: " + StrippedFailure.told(thrown),
                thrown.getCause() == null ? null : StrippedFailure.of(thrown.getCause()));
        setStackTrace(thrown.getStackTrace());
    }
}
