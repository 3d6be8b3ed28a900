package dev.parley.application.delivery;

import dev.parley.application.ability.Reacting;
import dev.parley.application.ability.Reacting.Mark;
import dev.parley.application.actor.Actor;
import dev.parley.application.actor.ActorHost;
import java.util.Optional;
import java.util.function.BiConsumer;

/**
 * Marks the message that a turn answers, one mark after the other. A platform may take long to answer that; it happens beside everything
 * else of the turn, so that no answer waits for it.
 */
final class MarkShow extends Actor {
    private final Shown what;
    private final Optional<Reacting> reacting;
    private final BiConsumer<String, RuntimeException> failed;
    private boolean over;

    /** {@code failed} is told, from any thread, what is not shown and why. */
    MarkShow(ActorHost host, Shown what, Optional<Reacting> reacting, BiConsumer<String, RuntimeException> failed) {
        super(host, Optional.of(what.lane()), gone -> {});
        this.what = what;
        this.reacting = reacting;
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

    /** The turn has come so far. */
    void mark(Mark mark) {
        if (over || reacting.isEmpty() || what.marked().isEmpty()) {
            return;
        }
        try {
            reacting.get().react(what.to(), what.marked().get(), mark);
        } catch (RuntimeException e) {
            failed.accept("A message is not marked.", e);
        }
    }

    /** The last mark is there. */
    void end() {
        over = true;
    }
}
