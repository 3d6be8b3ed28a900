package dev.parley.application.settings;

import java.time.Duration;
import java.util.Optional;

/**
 * How long things are kept, and how often it is looked what is over. Zero stands for "off" where nothing else is said.
 *
 * @param rows how long ended turns, inbound and outgoing messages are kept; at least seven days
 * @param history how long the lanes' history is kept; absent for ever
 * @param lanes how long an unused lane is kept; zero: for ever (W10.7)
 * @param firstLook when the expiry watcher first looks (W10.1)
 * @param interval how often it looks
 */
public record Retention(
        Duration rows, Optional<Duration> history, Duration lanes, Duration firstLook, Duration interval) {
    /** What holds where nothing is configured. */
    public static final Retention DEFAULT = new Retention(
            Duration.ofDays(30),
            Optional.of(Duration.ofDays(365)),
            Duration.ZERO,
            Duration.ofMinutes(1),
            Duration.ofMinutes(5));

    /** Returns this with another {@link #rows()}. */
    public Retention withRows(Duration value) {
        return new Retention(value, history, lanes, firstLook, interval);
    }

    /** Returns this with another {@link #history()}. */
    public Retention withHistory(Optional<Duration> value) {
        return new Retention(rows, value, lanes, firstLook, interval);
    }

    /** Returns this with another {@link #lanes()}. */
    public Retention withLanes(Duration value) {
        return new Retention(rows, history, value, firstLook, interval);
    }

    /** Returns this with another {@link #firstLook()}. */
    public Retention withFirstLook(Duration value) {
        return new Retention(rows, history, lanes, value, interval);
    }

    /** Returns this with another {@link #interval()}. */
    public Retention withInterval(Duration value) {
        return new Retention(rows, history, lanes, firstLook, value);
    }
}
