package dev.parley.application.actor;

/** A store threw what no store may throw, or returned null. Repeating the call may help, but need not. */
public final class StorageFault extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** Says at which call, and what was thrown. */
    public StorageFault(String message, Throwable cause) {
        super(message, cause);
    }
}
