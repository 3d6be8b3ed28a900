package dev.parley.application.delivery;

import dev.parley.application.ability.Typing;
import dev.parley.application.actor.Actor;
import dev.parley.application.actor.ActorHost;
import dev.parley.application.port.Timers;
import java.time.Duration;
import java.util.Optional;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Shows people that somebody writes, for one turn. A platform may take long to answer that; it happens beside everything else of the
 * turn, so that no answer waits for it.
 */
final class TypingShow extends Actor {
    private final Shown what;
    private final Optional<Typing> typing;
    private final BiConsumer<String, RuntimeException> failed;
    private Timers.@Nullable Timer again;
    private boolean over;

    /** {@code failed} is told, from any thread, what is not shown and why. */
    TypingShow(ActorHost host, Shown what, Optional<Typing> typing, BiConsumer<String, RuntimeException> failed) {
        super(host, Optional.of(what.lane()), gone -> {});
        this.what = what;
        this.typing = typing;
        this.failed = failed;
    }

    @Override
    protected boolean isIdle() {
        return over;
    }

    @Override
    protected void faulted(Throwable failure) {
        over = true;
    }

    /** Somebody writes, from now on. */
    void begin() {
        if (again == null) {
            type();
        }
    }

    private void type() {
        if (over || typing.isEmpty()) {
            return;
        }
        try {
            typing.get().typing(what.to(), true);
            Duration lasts = typing.get().typingLasts();
            again = later(lasts.multipliedBy(4).dividedBy(5), this::type);
        } catch (RuntimeException e) {
            failed.accept("That somebody writes is not shown.", e);
        }
    }

    /** Nobody writes for a while. */
    void pause() {
        Timers.Timer timer = again;
        if (timer == null) {
            return;
        }
        timer.cancel();
        again = null;
        try {
            typing.ifPresent(platform -> platform.typing(what.to(), false));
        } catch (RuntimeException e) {
            failed.accept("That nobody writes any more is not shown.", e);
        }
    }

    /** Nobody writes any more. */
    void end() {
        over = true;
        pause();
    }
}
