package dev.parley.application.actor;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Runs tasks one at a time and in the order given on an executor of others. Whatever a task throws, an {@code Error} too, is
 * reported and keeps no task behind it from running. Safe for concurrent use; what only its tasks touch needs no lock.
 *
 * <p>After every few tasks it lets others have the thread.
 */
public final class SerialTasks implements Executor {
    private static final int AT_ONCE = 16;

    private final Executor executor;
    private final Consumer<? super Throwable> failed;
    private final Deque<Runnable> tasks = new ArrayDeque<>();
    private boolean scheduled;

    /**
     * No tasks yet.
     *
     * @param executor runs the tasks
     * @param failed told what a task has thrown, on the thread that ran it, before the next task runs; what it throws itself goes
     *     to the thread's handler of uncaught exceptions
     */
    public SerialTasks(Executor executor, Consumer<? super Throwable> failed) {
        this.executor = executor;
        this.failed = failed;
    }

    /**
     * Adds a task behind the others.
     *
     * @throws RejectedExecutionException where the executor takes nothing more; the task is not run then
     */
    @Override
    public void execute(Runnable task) {
        if (!add(task)) {
            return;
        }
        try {
            executor.execute(this::drain);
        } catch (Throwable e) {
            synchronized (tasks) {
                scheduled = false;
                tasks.removeLastOccurrence(task);
            }
            throw e;
        }
    }

    /** Adds a task behind the others, one that may not be refused: where the executor takes nothing more, this thread runs them. */
    public void executeInAnyCase(Runnable task) {
        if (add(task) && !isHandedOver()) {
            drain();
        }
    }

    /** Adds a task; returns whether the executor is to be asked to run it. */
    private boolean add(Runnable task) {
        synchronized (tasks) {
            tasks.add(task);
            boolean first = !scheduled;
            scheduled = true;
            return first;
        }
    }

    /** Returns whether no task waits or runs. */
    public boolean isIdle() {
        synchronized (tasks) {
            return !scheduled && tasks.isEmpty();
        }
    }

    private void drain() {
        int run = 0;
        for (@Nullable Runnable task = next(); task != null; task = next()) {
            perform(task);
            run++;
            if (run % AT_ONCE == 0 && goesOnLater()) {
                return;
            }
        }
    }

    private @Nullable Runnable next() {
        synchronized (tasks) {
            Runnable task = tasks.poll();
            scheduled = task != null;
            return task;
        }
    }

    /** Gives the thread back; an executor that takes nothing more leaves it, so that no task is lost that it once took. */
    private boolean goesOnLater() {
        synchronized (tasks) {
            if (tasks.isEmpty()) {
                return false;
            }
        }
        return isHandedOver();
    }

    /** Asks the executor to run what waits; returns false where it takes nothing more or has no thread. */
    private boolean isHandedOver() {
        try {
            executor.execute(this::drain);
            return true;
        } catch (Throwable e) {
            return false;
        }
    }

    private void perform(Runnable task) {
        try {
            task.run();
        } catch (Throwable e) {
            report(e);
        }
    }

    private void report(Throwable failure) {
        try {
            failed.accept(failure);
        } catch (Throwable e) {
            if (e != failure) {
                e.addSuppressed(failure);
            }
            Thread thread = Thread.currentThread();
            thread.getUncaughtExceptionHandler().uncaughtException(thread, e);
        }
    }
}
