package dev.parley.application.guard;

import dev.parley.application.port.GatewayEvent;
import dev.parley.application.port.GatewayEvents;
import dev.parley.application.port.StrippedFailure;
import dev.parley.domain.key.SessionKey;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Calls foreign code. Safe for concurrent use.
 *
 * @param events told what foreign code throws; throws nothing itself
 */
public record Guard(GatewayEvents events) {
    /** Runs something; what it throws is told as {@code failed} and goes no further. */
    public void run(Optional<SessionKey> lane, String failed, Runnable call) {
        get(
                lane,
                failed,
                () -> {
                    call.run();
                    return true;
                },
                false);
    }

    /** Returns what a call returns; {@code otherwise} where it throws or returns null, which is told as {@code failed}. */
    public <T> T get(Optional<SessionKey> lane, String failed, Supplier<? extends @Nullable T> call, T otherwise) {
        try {
            T result = call.get();
            if (result != null) {
                return result;
            }
            tell(lane, failed, new NullPointerException("The call returned null."));
        } catch (Throwable e) {
            tell(lane, failed, e);
        }
        return otherwise;
    }

    /**
     * Returns what a call returns. What it throws goes on, an {@code Error} as the cause of an exception, so that those who catch
     * exceptions see all.
     */
    public static <T> T unchecked(String name, Supplier<? extends @Nullable T> call) {
        T result;
        try {
            result = call.get();
        } catch (RuntimeException e) {
            throw e;
        } catch (Throwable e) {
            throw new IllegalStateException(name + " failed: " + StrippedFailure.told(e), e);
        }
        if (result == null) {
            throw new IllegalStateException(name + " returned nothing.");
        }
        return result;
    }

    /** Runs something as {@link #unchecked(String, Supplier)} does. */
    public static void unchecked(String name, Runnable call) {
        unchecked(name, () -> {
            call.run();
            return true;
        });
    }

    /** Tells the operator what went wrong. */
    public void tell(Optional<SessionKey> lane, String what, Throwable cause) {
        events.on(new GatewayEvent.Trouble(lane, what, Optional.of(cause)));
    }
}
