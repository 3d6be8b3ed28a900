package dev.parley.persistence.sqlite.search;

import dev.parley.persistence.sqlite.connection.SqlErrors;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import org.sqlite.ProgressHandler;

/**
 * Stops the statements of a connection once they have cost enough: SQLite asks between its steps, also while it reads an index. What
 * counts is the time of the processor, so that a busy machine changes no answer, and the time that passes where much of it is
 * waiting for a disk. For one thread.
 */
final class CostLimit {
    /** SQLite asks after so many of its steps. */
    private static final int STEPS = 1_000;

    /** Nearly every search is over before; measuring begins then. */
    private static final Duration FREE = Duration.ofMillis(50);

    /** What has worked for less has not cost too much, however long it took. */
    private static final Duration LITTLE = Duration.ofMillis(100);

    private final long free;
    private final long most;
    private final long longest;

    /**
     * Stops so.
     *
     * @param most the time of the processor
     * @param longest the time that passes
     */
    CostLimit(Duration most, Duration longest) {
        this(FREE, most, longest);
    }

    /**
     * Stops so.
     *
     * @param free the time that passes before anything is measured
     * @param most the time of the processor, that time included
     * @param longest the time that passes
     */
    CostLimit(Duration free, Duration most, Duration longest) {
        this.free = free.toNanos();
        this.most = most.toNanos();
        this.longest = longest.toNanos();
    }

    /** Statements on a connection. */
    @FunctionalInterface
    interface Work<T> {
        /** Runs them. */
        T run() throws SQLException;
    }

    /** Runs statements under this limit; where they are stopped, what they throw is told by {@link #isStop}. */
    <T> T hold(Connection connection, Work<T> work) throws SQLException {
        ProgressHandler.setHandler(connection, STEPS, new Meter());
        try {
            return work.run();
        } finally {
            ProgressHandler.clearHandler(connection);
        }
    }

    /** Returns whether a limit is what ended a statement. */
    static boolean isStop(SQLException failure) {
        return SqlErrors.isInterrupted(failure);
    }

    private final class Meter extends ProgressHandler {
        private final long begun = System.nanoTime();
        private long worked = -1;

        @Override
        protected int progress() {
            long passed = System.nanoTime() - begun;
            if (passed < free) {
                return 0;
            }
            long now = Clock.THREADS.getCurrentThreadCpuTime();
            if (worked < 0) {
                worked = now;
            }
            long cost = now - worked;
            return cost > most - free || (passed > longest && cost > LITTLE.toNanos()) ? 1 : 0;
        }
    }

    /** Loaded where something takes long. */
    private static final class Clock {
        private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

        private Clock() {}
    }
}
