package dev.parley.application.port;

import org.jspecify.annotations.Nullable;

/**
 * The store cannot be used now: it cannot be opened, is locked past all retries, full, or read-only. From a commit it means
 * unknown: the batch may or may not be stored, and repeating it unchanged is safe. Next step: repeat, degrade, or give up
 * with exit code 3.
 */
public final class StorageUnavailable extends ParleyException {
    private static final long serialVersionUID = 1L;

    /** Why, where that makes a difference. */
    private enum Why {
        ANY,
        OUT_OF_SPACE,
        MISSING
    }

    private final Why why;

    /** Says what cannot be used, why, and what to do. */
    public StorageUnavailable(String message, @Nullable Throwable cause) {
        this(message, cause, Why.ANY);
    }

    private StorageUnavailable(String message, @Nullable Throwable cause, Why why) {
        super(message, cause);
        this.why = why;
    }

    /** Says what cannot be used because the disk is full, and what to do: it can be used again once there is room. */
    public static StorageUnavailable outOfSpace(String message, @Nullable Throwable cause) {
        return new StorageUnavailable(message, cause, Why.OUT_OF_SPACE);
    }

    /** Returns whether the only reason is that the disk is full, so that it comes back by itself once there is room. */
    public boolean isOutOfSpace() {
        return why == Why.OUT_OF_SPACE;
    }

    /** Says that there is nothing at an address that is opened for reading; opened for writing it would be made. */
    public static StorageUnavailable missing(String message) {
        return new StorageUnavailable(message, null, Why.MISSING);
    }

    /** Returns whether the only reason is that nothing was ever made at the address, or that it was taken away. */
    public boolean isMissing() {
        return why == Why.MISSING;
    }
}
