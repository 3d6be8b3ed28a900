package dev.parley.application.actor;

import dev.parley.application.port.Ids;
import dev.parley.application.port.Timers;
import dev.parley.domain.change.StoredTime;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;

/**
 * Time and chance, which come from outside so that they can be replayed. Safe for concurrent use.
 *
 * @param clock the clock
 * @param timers what runs something later
 * @param ids what makes everything random or unique
 */
public record Timing(InstantSource clock, Timers timers, Ids ids) {
    /** Returns the clock's reading in whole microseconds, which every store keeps. */
    public Instant now() {
        return StoredTime.now(clock);
    }

    /** Runs {@code task} once after {@code delay}; at once where that is negative. */
    public Timers.Timer after(Duration delay, Runnable task) {
        return timers.after(delay.isNegative() ? Duration.ZERO : delay, task);
    }
}
