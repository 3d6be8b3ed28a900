package dev.parley.application.degrade;

import dev.parley.application.actor.Backoff;
import dev.parley.application.port.Ids;
import dev.parley.application.port.StrippedFailure;
import dev.parley.application.port.Timers;
import dev.parley.application.spi.Storage;
import dev.parley.domain.key.SessionKey;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Learns the lanes of a primary that was opened: few of them at once, more of them behind that, beside commits, so that nobody waits. What
 * fails on the way is told, and tried again; it is no reason to leave a primary that takes commits. Safe for concurrent use.
 */
final class LaneLearning {
    /** So many lanes are learnt before the primary is taken into use: it takes some hundredths of a second. */
    static final long AT_ONCE = 1_000;

    private static final Duration MOMENT = Duration.ofMillis(100);
    private static final int DOUBLINGS = 6;

    private final KnownLanes known;
    private final Timers timers;
    private final Ids ids;
    private final Duration retryEvery;
    private final BiConsumer<String, Throwable> trouble;
    private @Nullable Storage source;
    private Timers.@Nullable Timer next;
    private int failures;

    /** {@code trouble} is told, once, why not every lane is known. */
    LaneLearning(KnownLanes known, Timers timers, Ids ids, Duration retryEvery, BiConsumer<String, Throwable> trouble) {
        this.known = known;
        this.timers = timers;
        this.ids = ids;
        this.retryEvery = retryEvery;
        this.trouble = trouble;
    }

    /**
     * Learns the lanes of a primary that is about to be taken into use: while nothing is committed to it.
     *
     * @param changed lanes that are not as they are known any more
     */
    void begin(Storage primary, Set<SessionKey> changed) {
        stop();
        if (primary.lanes().count() <= AT_ONCE) {
            learnAtOnce(primary);
            return;
        }
        for (SessionKey key : changed) {
            primary.lanes().find(key).ifPresentOrElse(known::know, () -> known.forget(key));
        }
        synchronized (this) {
            source = primary;
            failures = 0;
            later(Duration.ZERO, () -> learn(primary));
        }
    }

    private void learnAtOnce(Storage primary) {
        KnownLanes.Walk walk = known.walk();
        try {
            primary.lanes().forEach(walk::saw);
            walk.end();
        } finally {
            known.giveUp();
        }
    }

    /** Stops; what was learnt so far is known. */
    synchronized void stop() {
        source = null;
        Timers.Timer timer = next;
        next = null;
        if (timer != null) {
            timer.cancel();
        }
        known.giveUp();
    }

    private synchronized void later(Duration pause, Runnable task) {
        if (source != null) {
            next = timers.after(pause, task);
        }
    }

    private void learn(Storage primary) {
        KnownLanes.Walk walk;
        synchronized (this) {
            if (source != primary) {
                return;
            }
            walk = known.walk();
        }
        attempt(primary, () -> {
            primary.lanes().forEach(lane -> {
                if (!walk.saw(lane)) {
                    throw new CancellationException("The primary was left while its lanes were read.");
                }
            });
            learnMissed(primary, walk);
        });
    }

    private void attempt(Storage primary, Runnable part) {
        try {
            part.run();
        } catch (RuntimeException | Error e) {
            failed(primary, e);
        }
    }

    /** Batches that are being committed just now keep a lane from being known for a moment. */
    private void learnMissed(Storage primary, KnownLanes.Walk walk) {
        for (SessionKey key : walk.missed()) {
            if (known.read(primary.lanes(), key).isEmpty()) {
                walk.isGone(key);
            }
        }
        if (walk.missed().isEmpty()) {
            walk.end();
        } else {
            later(MOMENT, () -> attempt(primary, () -> learnMissed(primary, walk)));
        }
    }

    private void failed(Storage primary, Throwable why) {
        boolean first;
        synchronized (this) {
            if (source != primary || !known.giveUp()) {
                return;
            }
            first = failures == 0;
            later(new Backoff(retryEvery, DOUBLINGS).pause(failures, ids), () -> learn(primary));
            failures++;
        }
        if (first) {
            String said = StrippedFailure.line(why);
            trouble.accept(
                    "the lanes cannot all be read, which is tried again: " + said + (said.endsWith(".") ? "" : ".")
                            + " If the storage fails before that, a lane that is not known is told that what was said in it"
                            + " before cannot be read",
                    why);
        }
    }
}
