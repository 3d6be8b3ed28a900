package dev.parley.application.guard;

import dev.parley.application.port.Timers;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Timers that throw nothing and run a task at most once. A task that they refuse a few times running is set again together with the
 * next one that they take, and the operator is told. Safe for concurrent use.
 */
public final class GuardedTimers implements Timers {
    private static final int ATTEMPTS = 6;

    private final Timers timers;
    private final Guard guard;
    private final Deque<Task> refused = new ArrayDeque<>();

    /**
     * Guards timers.
     *
     * @param timers the timers
     * @param guard tells their failures
     */
    public GuardedTimers(Timers timers, Guard guard) {
        this.timers = timers;
        this.guard = guard;
    }

    @Override
    public Timer after(Duration delay, Runnable task) {
        Task mine = new Task(delay, task);
        if (set(mine)) {
            setRefused();
        }
        return mine;
    }

    private void setRefused() {
        for (Optional<Task> next = takeRefused(); next.isPresent(); next = takeRefused()) {
            if (!next.get().isOver() && !set(next.get())) {
                return;
            }
        }
    }

    private Optional<Task> takeRefused() {
        synchronized (refused) {
            return Optional.ofNullable(refused.poll());
        }
    }

    private boolean set(Task task) {
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            Optional<Timer> timer = guard.get(
                    Optional.empty(),
                    "A timer could not be set; it is set again.",
                    () -> Optional.of(timers.after(task.delay, task)),
                    Optional.empty());
            if (timer.isPresent()) {
                task.isSet(timer.get());
                return true;
            }
        }
        synchronized (refused) {
            refused.add(task);
        }
        return false;
    }

    /** A task that runs once, unless it is cancelled before. */
    private final class Task implements Runnable, Timer {
        private final Duration delay;
        private final Runnable task;
        private final AtomicBoolean over = new AtomicBoolean();
        private volatile Optional<Timer> timer = Optional.empty();

        Task(Duration delay, Runnable task) {
            this.delay = delay;
            this.task = task;
        }

        boolean isOver() {
            return over.get();
        }

        void isSet(Timer made) {
            timer = Optional.of(made);
        }

        @Override
        public void run() {
            if (over.compareAndSet(false, true)) {
                task.run();
            }
        }

        @Override
        public void cancel() {
            over.set(true);
            timer.ifPresent(made -> guard.run(Optional.empty(), "A timer could not be cancelled.", made::cancel));
        }
    }
}
