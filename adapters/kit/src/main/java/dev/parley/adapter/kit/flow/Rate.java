package dev.parley.adapter.kit.flow;

import java.time.Duration;

/**
 * How often something may happen.
 *
 * @param permits how often in each period
 * @param period the period
 * @param burst how often at once after a rest
 */
public record Rate(int permits, Duration period, int burst) {
    /** Checks that something may happen at all. */
    public Rate {
        if (permits < 1 || burst < 1 || period.isNegative() || period.isZero()) {
            throw new IllegalArgumentException(
                    "A rate lets something happen, unlike " + permits + " per " + period + " with a burst of " + burst);
        }
    }

    /** Returns the time between two permits at an even pace. */
    Duration interval() {
        return period.dividedBy(permits);
    }
}
