package dev.parley.persistence.sqlite.mirror;

import dev.parley.application.port.Lanes;
import dev.parley.application.port.ParleyException;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;

/**
 * Keeps {@code sessions.json} near the lanes, on a thread of its own, so that no commit waits for it. After a change it waits for
 * an interval, and for fifty times as long as the last writing took: a fiftieth of the time at most goes into it. What failed is
 * tried again with the next change, and told once.
 */
public final class LaneMirror implements AutoCloseable {
    private static final int REST = 50;

    private final SessionsFile file;
    private final Lanes lanes;
    private final Duration interval;
    private final InstantSource clock;
    private final Consumer<String> warnings;
    private final Thread thread;

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition something = lock.newCondition();
    private boolean changed;
    private boolean closed;
    private boolean told;

    /**
     * Mirrors the lanes into the file.
     *
     * @param interval the least time between a change and the writing
     * @param clock measures how long a writing takes
     */
    public LaneMirror(
            SessionsFile file,
            Lanes lanes,
            Duration interval,
            InstantSource clock,
            ThreadFactory threads,
            Consumer<String> warnings) {
        this.file = file;
        this.lanes = lanes;
        this.interval = interval;
        this.clock = clock;
        this.warnings = warnings;
        this.thread = threads.newThread(this::run);
    }

    /** Starts to mirror. */
    public void start() {
        thread.start();
    }

    /** Says that lanes have changed; returns at once. */
    public void lanesChanged() {
        lock.lock();
        try {
            changed = true;
            something.signal();
        } finally {
            lock.unlock();
        }
    }

    /** Writes what is not written yet and ends the thread. */
    @Override
    public void close() {
        lock.lock();
        try {
            closed = true;
            something.signal();
        } finally {
            lock.unlock();
        }
        boolean interrupted = false;
        while (thread.isAlive()) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private void run() {
        Duration rest = interval;
        while (isDue(rest)) {
            Instant before = clock.instant();
            write();
            Duration took = Duration.between(before, clock.instant()).multipliedBy(REST);
            rest = took.compareTo(interval) > 0 ? took : interval;
        }
    }

    /** Waits for a change and then for the rest; returns false once there is nothing to write any more. */
    private boolean isDue(Duration rest) {
        lock.lock();
        try {
            while (!changed && !closed) {
                something.await();
            }
            long left = rest.toNanos();
            while (!closed && left > 0) {
                left = something.awaitNanos(left);
            }
        } catch (InterruptedException e) {
            closed = true;
        } finally {
            lock.unlock();
        }
        return takeChange();
    }

    private boolean takeChange() {
        lock.lock();
        try {
            boolean was = changed;
            changed = false;
            return was;
        } finally {
            lock.unlock();
        }
    }

    private void write() {
        try {
            if (file.isOurs()) {
                file.write(lanes::forEach);
                told = false;
            } else {
                tell("The file " + file.path() + " was not written by Parley and is left alone; move it away, or set"
                        + " write_sessions_json to false.");
            }
        } catch (IOException | ParleyException e) {
            tell("The file " + file.path() + " cannot be written (" + e.getMessage() + "); it is tried again later.");
        }
    }

    private void tell(String line) {
        if (!told) {
            told = true;
            warnings.accept(line);
        }
    }
}
