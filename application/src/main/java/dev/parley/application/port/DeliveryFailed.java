package dev.parley.application.port;

import org.jspecify.annotations.Nullable;

/** A platform did not take a message. Next step: try again later, or give up and report. */
public final class DeliveryFailed extends ParleyException {
    private static final long serialVersionUID = 1L;

    private final boolean permanent;

    /** Says what was not delivered and why; {@code permanent} where trying again cannot help. */
    public DeliveryFailed(String message, boolean permanent, @Nullable Throwable cause) {
        super(message, cause);
        this.permanent = permanent;
    }

    /** Returns true where trying again cannot help. */
    public boolean isPermanent() {
        return permanent;
    }
}
