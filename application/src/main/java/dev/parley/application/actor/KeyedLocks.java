package dev.parley.application.actor;

import dev.parley.application.port.Timers;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A lock for each key that no thread waits for: whoever is to have it is called. Locks are had in the order in which they were asked for. A
 * holder that keeps another waiting for too long loses the lock, so that nobody waits for ever. Safe for concurrent use.
 *
 * @param <K> what is locked
 */
public final class KeyedLocks<K> {
    private final Timing timing;
    private final Duration patience;
    private final Map<K, Deque<Request>> requests = new HashMap<>();

    /**
     * No locks yet.
     *
     * @param timing time
     * @param patience how long anybody waits for one holder
     */
    public KeyedLocks(Timing timing, Duration patience) {
        this.timing = timing;
        this.patience = patience;
    }

    /** Asks for all of some keys at once; of no keys the lock is held at once. */
    public Lock ask(Collection<? extends K> keys) {
        Request request = new Request(Set.copyOf(keys));
        synchronized (requests) {
            request.keys.forEach(key ->
                    requests.computeIfAbsent(key, k -> new ArrayDeque<>()).add(request));
            if (request.isFirst()) {
                request.held.complete(null);
            }
        }
        return request;
    }

    /** A lock that was asked for. Whoever asked releases it. Safe for concurrent use. */
    public interface Lock {
        /** Returns whether it was given; it may be lost by now. */
        boolean isHeld();

        /** Calls once it is given: at once on this thread where it is, else on that of whoever held it before or lost it. */
        void whenHeld(Runnable task);

        /** Lets go of it, also where it was not given yet; does nothing where it is lost. */
        void release();
    }

    private final class Request implements Lock {
        private final Set<K> keys;
        private final CompletableFuture<@Nullable Void> held = new CompletableFuture<>();
        private Timers.@Nullable Timer timer;
        private List<Request> waitedFor = List.of();
        private boolean over;

        Request(Set<K> keys) {
            this.keys = keys;
        }

        @Override
        public boolean isHeld() {
            return held.isDone();
        }

        @Override
        public void whenHeld(Runnable task) {
            var unused = held.thenRun(task);
            synchronized (requests) {
                awaitNext();
            }
        }

        /** Waits for those who hold the keys now, for as long as anybody waits for one holder. */
        private void awaitNext() {
            if (!over && !isFirst()) {
                waitedFor = holders();
                timer = timing.after(patience, this::overtake);
            }
        }

        @Override
        public void release() {
            List<Request> next;
            synchronized (requests) {
                over = true;
                stopWaiting();
                keys.forEach(this::leave);
                next = firsts().filter(Request::isFirst).toList();
                next.forEach(Request::stopWaiting);
            }
            next.forEach(request -> request.held.complete(null));
        }

        private List<Request> holders() {
            return firsts().filter(Request::isHeld).toList();
        }

        private Stream<Request> firsts() {
            return keys.stream().map(KeyedLocks.this::first).flatMap(Optional::stream);
        }

        private void leave(K key) {
            requests.computeIfPresent(key, (k, queue) -> {
                queue.remove(this);
                return queue.isEmpty() ? null : queue;
            });
        }

        private boolean isFirst() {
            return keys.stream().allMatch(key -> first(key).filter(this::equals).isPresent());
        }

        private void stopWaiting() {
            if (timer != null) {
                timer.cancel();
                timer = null;
            }
        }

        /** Who holds what this has waited for long enough loses it. */
        private void overtake() {
            List<Request> late = new ArrayList<>();
            synchronized (requests) {
                if (!over && !isFirst()) {
                    late.addAll(holders());
                    late.retainAll(waitedFor);
                    awaitNext();
                }
            }
            late.forEach(Request::release);
        }
    }

    private Optional<Request> first(K key) {
        return Optional.ofNullable(requests.get(key)).map(Deque::peek);
    }
}
