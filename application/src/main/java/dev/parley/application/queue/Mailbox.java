package dev.parley.application.queue;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.BooleanSupplier;

/**
 * Runs tasks one at a time and in order on an executor. What belongs to a mailbox is touched only by its tasks, so it needs no
 * lock. An idle mailbox retires: it takes no more tasks, and its owner forgets it.
 */
public final class Mailbox {
    private static final int AT_ONCE = 16;

    private final Executor executor;
    private final BooleanSupplier idle;
    private final Runnable retired;
    private final Deque<Runnable> tasks = new ArrayDeque<>();
    private boolean scheduled;
    private boolean paused;
    private boolean gone;

    /**
     * Makes a mailbox.
     *
     * @param executor runs the tasks
     * @param idle asked between tasks when none waits: whether the mailbox may retire
     * @param retired told once that it has
     */
    public Mailbox(Executor executor, BooleanSupplier idle, Runnable retired) {
        this.executor = executor;
        this.idle = idle;
        this.retired = retired;
    }

    /** Adds a task behind the others; returns false where the mailbox has retired, then another one must be made. */
    public boolean post(Runnable task) {
        synchronized (tasks) {
            if (gone) {
                return false;
            }
            tasks.add(task);
            if (scheduled || paused) {
                return true;
            }
            scheduled = true;
        }
        schedule();
        return true;
    }

    /** Keeps further tasks waiting until {@link #resume}. Called by a task of this mailbox, as the last thing it does. */
    public void pause() {
        synchronized (tasks) {
            paused = true;
        }
    }

    /** Returns whether tasks are kept waiting. */
    public boolean isPaused() {
        synchronized (tasks) {
            return paused;
        }
    }

    /** Ends a pause; {@code first} runs before all waiting tasks. Does nothing where there is no pause. */
    public void resume(Runnable first) {
        synchronized (tasks) {
            if (!paused) {
                return;
            }
            paused = false;
            tasks.addFirst(first);
            if (scheduled) {
                return;
            }
            scheduled = true;
        }
        schedule();
    }

    private void schedule() {
        try {
            executor.execute(this::drain);
        } catch (RejectedExecutionException e) {
            synchronized (tasks) {
                scheduled = false;
            }
            throw e;
        }
    }

    private void drain() {
        for (int i = 0; i < AT_ONCE; i++) {
            Runnable task;
            synchronized (tasks) {
                task = paused ? null : tasks.poll();
                if (task == null) {
                    scheduled = false;
                    gone = !paused && idle.getAsBoolean();
                    if (!gone) {
                        return;
                    }
                }
            }
            if (task == null) {
                retired.run();
                return;
            }
            task.run();
        }
        schedule();
    }
}
