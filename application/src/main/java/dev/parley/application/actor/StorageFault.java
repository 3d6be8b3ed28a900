package dev.parley.application.actor;

import org.jspecify.annotations.Nullable;

/** A store threw what no store may throw, or returned null. Repeating the call may help, but need not. */
public final class StorageFault extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** Says at which call, and what was thrown; {@code cause} is null where nothing stands behind it. */
    public StorageFault(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
