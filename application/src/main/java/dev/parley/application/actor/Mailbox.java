package dev.parley.application.actor;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Serial tasks that can be kept waiting, and that retire when nothing is left to do: a retired mailbox takes no more tasks, and
 * its owner forgets it. What belongs to a mailbox is touched only by its tasks, so it needs no lock.
 */
public final class Mailbox {
    private final SerialTasks turns;
    private final BooleanSupplier idle;
    private final Runnable retired;
    private final Deque<Runnable> tasks = new ArrayDeque<>();
    private boolean paused;
    private boolean gone;

    /**
     * Makes a mailbox.
     *
     * @param executor runs the tasks
     * @param idle asked between tasks when none waits: whether the mailbox may retire
     * @param retired told once that it has
     * @param failed told what a task has thrown
     */
    public Mailbox(Executor executor, BooleanSupplier idle, Runnable retired, Consumer<? super Throwable> failed) {
        this.turns = new SerialTasks(executor, failed);
        this.idle = idle;
        this.retired = retired;
    }

    /**
     * Adds a task behind the others; returns false where the mailbox has retired, then another one must be made.
     *
     * @throws RejectedExecutionException where the executor takes nothing more; the task is not run then
     */
    public boolean post(Runnable task) {
        synchronized (tasks) {
            if (gone) {
                return false;
            }
            tasks.add(task);
            if (paused) {
                return true;
            }
        }
        schedule(task);
        return true;
    }

    /** Keeps further tasks waiting until {@link #resume}. Called by a task of this mailbox, behind which it runs no other. */
    public void pause() {
        synchronized (tasks) {
            paused = true;
        }
    }

    /**
     * Ends a pause; {@code first} runs before all waiting tasks, on this thread where the executor takes nothing more. Does nothing where
     * there is no pause.
     */
    public void resume(Runnable first) {
        int waiting;
        synchronized (tasks) {
            if (!paused) {
                return;
            }
            paused = false;
            tasks.addFirst(first);
            waiting = tasks.size();
        }
        for (int turn = 0; turn < waiting; turn++) {
            turns.executeInAnyCase(this::next);
        }
    }

    private void schedule(Runnable task) {
        try {
            turns.execute(this::next);
        } catch (Throwable e) {
            synchronized (tasks) {
                tasks.removeLastOccurrence(task);
            }
            throw e;
        }
    }

    private void next() {
        try {
            Runnable task = take();
            if (task != null) {
                task.run();
            }
        } finally {
            retireIfIdle();
        }
    }

    private @Nullable Runnable take() {
        synchronized (tasks) {
            return paused || gone ? null : tasks.poll();
        }
    }

    private void retireIfIdle() {
        synchronized (tasks) {
            if (paused || gone || !tasks.isEmpty()) {
                return;
            }
            gone = idle.getAsBoolean();
            if (!gone) {
                return;
            }
        }
        retired.run();
    }
}
