package dev.parley.adapter.kit.flow;

import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Something that has to be known before more is handed in could not be asked for now. */
public final class LookupFailed extends Exception {
    private static final long serialVersionUID = 1L;

    private final @Nullable Duration retryAfter;

    /** A failure that says nothing of how long to wait. */
    public LookupFailed(Exception cause) {
        this(cause, Optional.empty());
    }

    /**
     * A failure.
     *
     * @param cause why
     * @param retryAfter how long the platform asks to wait; absent where it does not say
     */
    public LookupFailed(Exception cause, Optional<Duration> retryAfter) {
        super(cause.getMessage(), cause);
        this.retryAfter = retryAfter.orElse(null);
    }

    /** Returns how long the platform asks to wait; absent where it does not say. */
    public Optional<Duration> retryAfter() {
        return Optional.ofNullable(retryAfter);
    }
}
