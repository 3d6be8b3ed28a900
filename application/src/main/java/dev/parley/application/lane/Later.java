package dev.parley.application.lane;

import java.time.Duration;

/** Has the lane run a task of its own later. */
@FunctionalInterface
interface Later {
    /** Runs {@code task}, as a task of the lane, after {@code delay}. */
    void run(Duration delay, Runnable task);
}
