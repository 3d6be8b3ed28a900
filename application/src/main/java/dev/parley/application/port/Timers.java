package dev.parley.application.port;

import java.time.Duration;

/** Runs something later. */
public interface Timers {
    /** Runs {@code task} once after {@code delay} on the gateway's executor; tasks due at the same instant run in the order given. */
    Timer after(Duration delay, Runnable task);

    /** A task that has not run yet. */
    interface Timer {
        /** Keeps the task from running; does nothing where it has run. */
        void cancel();
    }
}
