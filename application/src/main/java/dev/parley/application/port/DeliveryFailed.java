package dev.parley.application.port;

import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A platform did not take a message: it is known that nothing arrived. Where that is not known, a platform throws anything else. Next
 * step: try again later, or give up and report; the kind tells which.
 */
public final class DeliveryFailed extends ParleyException {
    private static final long serialVersionUID = 1L;

    private final Kind kind;
    private final @Nullable Duration retryAfter;

    /** Why a platform did not take a message. */
    public enum Kind {
        /** The platform cannot be reached, or is out of order. */
        AWAY(false),
        /** Too much was sent in too short a time. */
        RATE_LIMITED(false),
        /** The platform does not accept the account's secrets: the operator has to act, and the message waits. */
        UNAUTHORIZED(false),
        /** The chat is not there any more. */
        CHAT_GONE(true),
        /** The account may not write there: blocked, removed, without the right to. */
        FORBIDDEN(true),
        /** The platform takes no such message: too long, malformed, of a kind it does not know. */
        REJECTED(true);

        private final boolean permanent;

        Kind(boolean permanent) {
            this.permanent = permanent;
        }

        /** Returns true where trying again cannot help. */
        public boolean isPermanent() {
            return permanent;
        }
    }

    /** Says what was not delivered and why; {@code permanent} where trying again cannot help. */
    public DeliveryFailed(String message, boolean permanent, @Nullable Throwable cause) {
        this(permanent ? Kind.REJECTED : Kind.AWAY, message, cause);
    }

    /** Says what was not delivered and why. */
    public DeliveryFailed(Kind kind, String message, @Nullable Throwable cause) {
        this(kind, message, null, cause);
    }

    private DeliveryFailed(Kind kind, String message, @Nullable Duration retryAfter, @Nullable Throwable cause) {
        super(message, cause);
        this.kind = kind;
        this.retryAfter = retryAfter;
    }

    /** Returns the failure of a message that came too soon; it is tried again once {@code pause} has passed, not before. */
    public static DeliveryFailed rateLimited(String message, Duration pause) {
        return new DeliveryFailed(Kind.RATE_LIMITED, message, pause.isNegative() ? Duration.ZERO : pause, null);
    }

    /** Returns the failure of a message that a platform cannot take now and asks to be offered again after {@code pause}. */
    public static DeliveryFailed awayFor(String message, Duration pause) {
        return new DeliveryFailed(Kind.AWAY, message, pause.isNegative() ? Duration.ZERO : pause, null);
    }

    /** Returns why. */
    public Kind kind() {
        return kind;
    }

    /** Returns true where trying again cannot help. */
    public boolean isPermanent() {
        return kind.isPermanent();
    }

    /** Returns how long the platform asks to wait before the next try; absent where it does not say. */
    public Optional<Duration> retryAfter() {
        return Optional.ofNullable(retryAfter);
    }
}
