package dev.parley.application.gateway;

import dev.parley.application.port.Timers;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Timers on a scheduler: a task that is due is handed to an executor, which may be the scheduler itself. What is due after that
 * has been shut down does not run. Closes neither. Safe for concurrent use.
 */
public final class ScheduledTimers implements Timers {
    private final ScheduledExecutorService scheduler;
    private final Executor executor;

    /**
     * Keeps time with {@code scheduler} and runs tasks on {@code executor}. Tasks due at the same instant run in the order given
     * where both have one thread.
     */
    public ScheduledTimers(ScheduledExecutorService scheduler, Executor executor) {
        this.scheduler = scheduler;
        this.executor = executor;
    }

    @Override
    public Timer after(Duration delay, Runnable task) {
        ScheduledFuture<?> due =
                scheduler.schedule(() -> run(task), Math.max(0, delay.toNanos()), TimeUnit.NANOSECONDS);
        return () -> due.cancel(false);
    }

    /** Runs it on the thread on which the JDK keeps delays, since the scheduler's may all be taken. */
    @Override
    public Timer beside(Duration delay, Runnable task) {
        AtomicBoolean cancelled = new AtomicBoolean();
        CompletableFuture.delayedExecutor(Math.max(0, delay.toNanos()), TimeUnit.NANOSECONDS, Runnable::run)
                .execute(() -> {
                    if (!cancelled.get()) {
                        task.run();
                    }
                });
        return () -> cancelled.set(true);
    }

    private void run(Runnable task) {
        try {
            executor.execute(task);
        } catch (RejectedExecutionException e) {
            // The gateway has stopped: nobody waits for the task any more.
        }
    }
}
