package dev.parley.application.port;

import org.jspecify.annotations.Nullable;

/**
 * The store cannot be used now: it cannot be opened, is locked past all retries, full, or read-only. From a commit it means
 * unknown: the batch may or may not be stored, and repeating it unchanged is safe. Next step: repeat, degrade, or give up
 * with exit code 3.
 */
public final class StorageUnavailable extends ParleyException {
    private static final long serialVersionUID = 1L;

    private final boolean outOfSpace;

    /** Says what cannot be used, why, and what to do. */
    public StorageUnavailable(String message, @Nullable Throwable cause) {
        this(message, cause, false);
    }

    private StorageUnavailable(String message, @Nullable Throwable cause, boolean outOfSpace) {
        super(message, cause);
        this.outOfSpace = outOfSpace;
    }

    /** Says what cannot be used because the disk is full, and what to do: it can be used again once there is room. */
    public static StorageUnavailable outOfSpace(String message, @Nullable Throwable cause) {
        return new StorageUnavailable(message, cause, true);
    }

    /** Returns whether the only reason is that the disk is full, so that it comes back by itself once there is room. */
    public boolean isOutOfSpace() {
        return outOfSpace;
    }
}
