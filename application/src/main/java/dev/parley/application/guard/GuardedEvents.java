package dev.parley.application.guard;

import dev.parley.application.actor.SerialTasks;
import dev.parley.application.port.GatewayEvent;
import dev.parley.application.port.GatewayEvents;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Listeners that hold nobody. One that {@link GatewayEvents#neverBlocks never blocks} is told on the thread on which things happen. Any
 * other is told by tasks of its own, one event at a time and in order; of one that does not return, the other listeners are told, and
 * once too many events wait for it further ones are left out. What a listener throws goes to the thread's handler of uncaught
 * exceptions, since there is nobody else to tell. Safe for concurrent use.
 */
public final class GuardedEvents implements GatewayEvents {
    private static final int MOST_WAITING = 10_000;
    private static final Duration LATE = Duration.ofSeconds(30);

    private final InstantSource clock;
    private final List<Told> listeners;

    /**
     * Guards a listener, or each of several that {@link GatewayEvents#all} has put together.
     *
     * @param executor tells those that may block
     * @param clock time
     */
    public GuardedEvents(GatewayEvents listener, Executor executor, InstantSource clock) {
        this.clock = clock;
        this.listeners = GatewayEvents.each(listener).stream()
                .map(each -> new Told(each, executor))
                .toList();
    }

    @Override
    public void on(GatewayEvent event) {
        listeners.forEach(each -> each.take(event));
    }

    /** Never blocks, whatever its listeners do. */
    @Override
    public boolean neverBlocks() {
        return true;
    }

    /** Returns what is complete once each listener was told everything that has happened before; perhaps never. */
    public CompletableFuture<Void> told() {
        return CompletableFuture.allOf(listeners.stream().map(Told::told).toArray(CompletableFuture[]::new));
    }

    private void tellOthers(Told hanging, GatewayEvent trouble) {
        listeners.stream().filter(each -> each != hanging).forEach(each -> each.take(trouble));
    }

    private static boolean saysThatItNeverBlocks(GatewayEvents listener) {
        try {
            return listener.neverBlocks();
        } catch (Throwable e) {
            uncaught(e);
            return false;
        }
    }

    private static void uncaught(Throwable failure) {
        Thread thread = Thread.currentThread();
        thread.getUncaughtExceptionHandler().uncaughtException(thread, failure);
    }

    /** One listener. */
    private final class Told {
        private final GatewayEvents listener;
        private final boolean neverBlocks;
        private final SerialTasks tasks;
        private final AtomicInteger waiting = new AtomicInteger();
        private final AtomicLong leftOut = new AtomicLong();
        private final AtomicBoolean knownToHang = new AtomicBoolean();
        private volatile Optional<Instant> calledAt = Optional.empty();

        Told(GatewayEvents listener, Executor executor) {
            this.listener = listener;
            this.neverBlocks = saysThatItNeverBlocks(listener);
            this.tasks = new SerialTasks(executor, GuardedEvents::uncaught);
        }

        void take(GatewayEvent event) {
            if (neverBlocks) {
                tell(event);
                return;
            }
            lookWhetherItHangs();
            if (waiting.incrementAndGet() > MOST_WAITING) {
                waiting.decrementAndGet();
                leftOut.incrementAndGet();
                return;
            }
            try {
                tasks.execute(() -> call(event));
            } catch (RejectedExecutionException e) {
                call(event);
            }
        }

        private void lookWhetherItHangs() {
            boolean hangs = calledAt.filter(
                            at -> Duration.between(at, clock.instant()).compareTo(LATE) > 0)
                    .isPresent();
            if (hangs && knownToHang.compareAndSet(false, true)) {
                String what = "A listener to the gateway's events ("
                        + listener.getClass().getName()
                        + ") has not returned for 30 seconds; it is told nothing until it does.";
                TimeoutException cause = new TimeoutException(what);
                if (listeners.size() == 1) {
                    uncaught(cause);
                } else {
                    tellOthers(this, new GatewayEvent.Trouble(Optional.empty(), what, Optional.of(cause)));
                }
            }
        }

        private void call(GatewayEvent event) {
            calledAt = Optional.of(clock.instant());
            tell(event);
            long missed = leftOut.getAndSet(0);
            if (missed > 0) {
                tell(new GatewayEvent.Trouble(
                        Optional.empty(),
                        "This listener did not return for a while; it was not told " + missed + " events.",
                        Optional.empty()));
            }
            calledAt = Optional.empty();
            knownToHang.set(false);
            waiting.decrementAndGet();
        }

        private void tell(GatewayEvent event) {
            try {
                listener.on(event);
            } catch (Throwable e) {
                uncaught(e);
            }
        }

        CompletableFuture<Void> told() {
            CompletableFuture<Void> done = new CompletableFuture<>();
            try {
                tasks.execute(() -> done.complete(null));
            } catch (RejectedExecutionException e) {
                done.complete(null);
            }
            return done;
        }
    }
}
