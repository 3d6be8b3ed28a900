package dev.parley.home;

import java.time.Duration;
import java.util.concurrent.LinkedTransferQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * A pool of threads that stays small while its tasks get on, however many come at once, and grows while they block, so that no task waits
 * for the end of others. A thread without work ends after a minute. Safe for concurrent use.
 */
final class GrowingPool extends ThreadPoolExecutor {
    /** As many threads as there are while tasks get on. */
    static final int USUAL = 64;

    /** So many threads more are made where no task was begun for {@link #PATIENCE} although some wait. */
    private static final int MORE = 16;

    private static final Duration PATIENCE = Duration.ofMillis(50);

    private final ScheduledExecutorService timer;
    private final AtomicBoolean looking = new AtomicBoolean();

    /** A pool without threads; {@code timer} looks whether tasks get on. */
    GrowingPool(ThreadFactory threads, ScheduledExecutorService timer) {
        super(0, USUAL, 1, TimeUnit.MINUTES, new Waiting(), threads, (task, pool) -> ((GrowingPool) pool).await(task));
        this.timer = timer;
    }

    /** Takes a task where a thread waits for one; otherwise the pool makes a thread, or has the task wait where it has all it may. */
    private static final class Waiting extends LinkedTransferQueue<Runnable> {
        private static final long serialVersionUID = 1;

        @Override
        public boolean offer(Runnable task) {
            return tryTransfer(task);
        }
    }

    /** One task that waits; the same task may come twice. */
    private static final class Turn implements Runnable {
        private final Runnable task;

        private Turn(Runnable task) {
            this.task = task;
        }

        @Override
        public void run() {
            task.run();
        }
    }

    private static void doNothing() {}

    private void await(Runnable task) {
        Turn turn = new Turn(task);
        if (isShutdown() || !getQueue().add(turn) || (isShutdown() && remove(turn))) {
            throw new RejectedExecutionException("The gateway's threads have ended.");
        }
        if (looking.compareAndSet(false, true)) {
            lookAgain(getQueue().peek());
        }
    }

    private void lookAgain(@Nullable Runnable first) {
        try {
            var unused = timer.schedule(() -> look(first), PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
        } catch (RejectedExecutionException e) {
            // The gateway ends: what waits is begun by the threads that there are.
        }
    }

    private void look(@Nullable Runnable before) {
        Runnable first = getQueue().peek();
        if (first == null) {
            setMaximumPoolSize(USUAL);
            looking.set(false);
            first = getQueue().peek();
            if (first == null || !looking.compareAndSet(false, true)) {
                return;
            }
        } else if (first == before) {
            setMaximumPoolSize(getMaximumPoolSize() + MORE);
            for (int i = 0; i < MORE; i++) {
                execute(GrowingPool::doNothing);
            }
        }
        lookAgain(first);
    }
}
