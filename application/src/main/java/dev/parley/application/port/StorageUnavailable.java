package dev.parley.application.port;

import org.jspecify.annotations.Nullable;

/**
 * The store cannot be used now: it cannot be opened, is locked past all retries, full, or read-only. From a commit it means
 * unknown: the batch may or may not be stored, and repeating it unchanged is safe. Next step: repeat, degrade, or give up
 * with exit code 3.
 */
public final class StorageUnavailable extends ParleyException {
    private static final long serialVersionUID = 1L;

    /** Says what cannot be used, why, and what to do. */
    public StorageUnavailable(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
