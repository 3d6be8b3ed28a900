package dev.parley.application.replay;

import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * Keeps tasks until it is told to run them, one after the other in the order given, on the thread that tells it. Tasks may be
 * given from any thread.
 */
public final class SerialExecutor implements Executor {
    private final Queue<Runnable> tasks = new ArrayDeque<>();

    /** No tasks yet. */
    public SerialExecutor() {}

    @Override
    public void execute(Runnable task) {
        synchronized (tasks) {
            tasks.add(task);
        }
    }

    /**
     * Runs all tasks, those included that are given meanwhile. What a task throws comes out of here at once; the tasks behind
     * it stay and run with the next call.
     *
     * @return how many tasks were run
     */
    public int runUntilIdle() {
        int run = 0;
        for (@Nullable Runnable task = next(); task != null; task = next()) {
            run++;
            task.run();
        }
        return run;
    }

    /** Returns whether no task waits. */
    public boolean isIdle() {
        synchronized (tasks) {
            return tasks.isEmpty();
        }
    }

    /** Forgets all waiting tasks, as the death of a process does. */
    public void discard() {
        synchronized (tasks) {
            tasks.clear();
        }
    }

    private @Nullable Runnable next() {
        synchronized (tasks) {
            return tasks.poll();
        }
    }
}
