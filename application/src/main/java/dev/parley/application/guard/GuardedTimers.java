package dev.parley.application.guard;

import dev.parley.application.port.Timers;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;

/**
 * Timers that throw nothing and run a task at most once. A task that they refuse a few times running is set again together with the
 * next one that they take, at the latest after a while that these timers do not measure, and the operator is told. Such a task runs
 * later than it should: its delay begins when it is set. Safe for concurrent use.
 */
public final class GuardedTimers implements Timers {
    private static final int ATTEMPTS = 6;
    private static final Duration FIRST = Duration.ofSeconds(1);
    private static final Duration LAST = Duration.ofMinutes(5);

    private final Timers timers;
    private final Guard guard;
    private final Function<Duration, Executor> again;
    private final Deque<Task> refused = new ArrayDeque<>();
    private Duration pause = FIRST;
    private boolean isDueAgain;

    /**
     * Guards timers.
     *
     * @param timers the timers
     * @param guard tells their failures
     * @param again returns what runs a task once the time has passed, without these timers
     */
    public GuardedTimers(Timers timers, Guard guard, Function<Duration, Executor> again) {
        this.timers = timers;
        this.guard = guard;
        this.again = again;
    }

    @Override
    public Timer after(Duration delay, Runnable task) {
        Task mine = new Task(delay, task);
        if (set(mine)) {
            setRefused();
        }
        return mine;
    }

    /** Where it is refused it never runs. */
    @Override
    public Timer beside(Duration delay, Runnable task) {
        Task mine = new Task(delay, task);
        Optional<Timer> timer = guard.get(
                Optional.empty(),
                "A timer could not be set; nobody looks whether the gateway's executor runs its tasks.",
                () -> Optional.of(timers.beside(delay, mine)),
                Optional.empty());
        timer.ifPresent(mine::isSet);
        return mine;
    }

    private void refuse(Task task) {
        Duration wait;
        synchronized (refused) {
            refused.add(task);
            if (isDueAgain) {
                return;
            }
            isDueAgain = true;
            wait = pause;
            pause = pause.multipliedBy(2).compareTo(LAST) > 0 ? LAST : pause.multipliedBy(2);
        }
        guard.run(
                Optional.empty(),
                "A timer that could not be set is set with the next one.",
                () -> again.apply(wait).execute(this::setAgain));
    }

    private void setAgain() {
        synchronized (refused) {
            isDueAgain = false;
        }
        setRefused();
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
                synchronized (refused) {
                    pause = FIRST;
                }
                return true;
            }
        }
        refuse(task);
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
