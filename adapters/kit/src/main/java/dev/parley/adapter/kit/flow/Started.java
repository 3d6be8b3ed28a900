package dev.parley.adapter.kit.flow;

import dev.parley.application.port.DeliveryFailed;
import java.util.Optional;

/**
 * What a platform has from its start to its stop. Safe for concurrent use.
 *
 * @param <T> what it has
 */
public final class Started<T> {
    private final String who;
    private Optional<T> parts = Optional.empty();

    /**
     * Nothing is started yet.
     *
     * @param who what is started, at the beginning of a sentence, such as {@code The Slack app}
     */
    public Started(String who) {
        this.who = who;
    }

    /** The platform is started, and has these parts until {@link #end}. */
    public synchronized void begin(T made) {
        parts = Optional.of(made);
    }

    /** Returns what the platform has; absent before its start and after its stop. */
    public synchronized Optional<T> found() {
        return parts;
    }

    /**
     * Returns what the platform has, for something to be sent.
     *
     * @throws DeliveryFailed ({@link DeliveryFailed.Kind#AWAY}) before its start and after its stop
     */
    public T get() {
        return found().orElseThrow(() -> new DeliveryFailed(DeliveryFailed.Kind.AWAY, who + " is stopped.", null));
    }

    /** The platform is stopped; returns what it had, to be stopped too, absent where it was not started. */
    public synchronized Optional<T> end() {
        Optional<T> last = parts;
        parts = Optional.empty();
        return last;
    }
}
