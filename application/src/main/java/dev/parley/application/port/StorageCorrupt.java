package dev.parley.application.port;

import org.jspecify.annotations.Nullable;

/** The store is damaged or is not ours. Next step: stop with exit code 4; nothing was changed. */
public final class StorageCorrupt extends ParleyException {
    private static final long serialVersionUID = 1L;

    /** Says what is damaged and what to do. */
    public StorageCorrupt(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
