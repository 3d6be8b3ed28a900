package dev.parley.application.gateway;

import dev.parley.application.actor.Timing;
import dev.parley.application.port.ParleyException;
import dev.parley.application.port.StorageUnavailable;
import dev.parley.application.port.Timers;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/** Requests that somebody waits for on a thread of their own: each is answered, at the latest when time or the gateway is up. */
final class Requests {
    private static final String STOPPED = "The gateway is not running; nothing was asked of the lane.";

    private final Timing timing;
    private final Duration limit;
    private final BooleanSupplier over;
    private final Set<CompletableFuture<Boolean>> waiting = ConcurrentHashMap.newKeySet();

    Requests(Timing timing, Duration limit, BooleanSupplier over) {
        this.timing = timing;
        this.limit = limit;
        this.over = over;
    }

    /**
     * Makes a request and waits for its answer.
     *
     * @throws StorageUnavailable where there is no answer in time; the request may be met later all the same
     */
    boolean ask(Consumer<CompletableFuture<Boolean>> request) {
        CompletableFuture<Boolean> done = new CompletableFuture<>();
        waiting.add(done);
        Timers.Timer timer = timing.after(
                limit,
                () -> done.completeExceptionally(new StorageUnavailable(
                        "The lane has not answered for " + limit.toSeconds() + " s; it may do so later.", null)));
        try {
            if (over.getAsBoolean()) {
                throw new StorageUnavailable(STOPPED, null);
            }
            request.accept(done);
            return done.join();
        } catch (CompletionException e) {
            if (e.getCause() instanceof ParleyException known) {
                throw known;
            }
            throw e;
        } finally {
            timer.cancel();
            waiting.removeIf(each -> each == done);
        }
    }

    /** The gateway has ended: nobody waits any longer. */
    void end() {
        List.copyOf(waiting)
                .forEach(done -> done.completeExceptionally(
                        new StorageUnavailable("The gateway has stopped before the lane answered.", null)));
    }
}
