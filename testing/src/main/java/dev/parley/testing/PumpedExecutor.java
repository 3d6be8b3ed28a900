package dev.parley.testing;

import dev.parley.application.replay.SerialExecutor;
import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/** Keeps the tasks of a process for the thread of the test, which can wait for more of them to come from other threads. */
final class PumpedExecutor implements Executor {
    private final SerialExecutor tasks;
    private final Semaphore arrived = new Semaphore(0);

    PumpedExecutor(SerialExecutor tasks) {
        this.tasks = tasks;
    }

    @Override
    public void execute(Runnable task) {
        tasks.execute(task);
        arrived.release();
    }

    /** Takes all that has come for seen: only what comes from now on ends a wait. */
    void look() {
        arrived.drainPermits();
    }

    /** Waits for a task that came since the last look; returns false where none came in time. */
    boolean await(Duration patience) {
        try {
            return arrived.tryAcquire(patience.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
