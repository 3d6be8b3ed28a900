package dev.parley.application.replay;

import dev.parley.domain.change.StoredTime;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;

/** A clock that stands still until it is moved. Safe for concurrent use. */
public final class VirtualClock implements InstantSource {
    private volatile Instant now;

    /** Begins at {@code start}, truncated to microseconds. */
    public VirtualClock(Instant start) {
        this.now = StoredTime.of(start);
    }

    @Override
    public Instant instant() {
        return now;
    }

    /** Sets the clock, truncated to microseconds; it may go back, as the clocks of real machines do. Runs nothing. */
    public void set(Instant instant) {
        now = StoredTime.of(instant);
    }

    /** Sets the clock further by {@code step}, or back where that is negative. Runs nothing; see {@link VirtualTimers#advance}. */
    public synchronized void move(Duration step) {
        set(now.plus(step));
    }
}
