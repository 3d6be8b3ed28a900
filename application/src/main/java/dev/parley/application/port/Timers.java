package dev.parley.application.port;

import java.time.Duration;

/** Runs something later. */
public interface Timers {
    /** Runs {@code task} once after {@code delay} on the gateway's executor; tasks due at the same instant run in the order given. */
    Timer after(Duration delay, Runnable task);

    /**
     * Runs a task that returns at once after {@code delay}, on a thread that nothing of the gateway can hold; never where these timers
     * have no such thread, as on a clock that is moved by hand.
     */
    default Timer beside(Duration delay, Runnable task) {
        return () -> {};
    }

    /** A task that has not run yet. */
    interface Timer {
        /** Keeps the task from running; does nothing where it has run. */
        void cancel();
    }
}
