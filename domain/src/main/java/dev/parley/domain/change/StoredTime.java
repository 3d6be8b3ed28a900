package dev.parley.domain.change;

import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;

/** Times as every store keeps them: in whole microseconds. */
public final class StoredTime {
    private StoredTime() {}

    /** Returns the clock's reading as it is stored. */
    public static Instant now(InstantSource clock) {
        return of(clock.instant());
    }

    /** Returns a time as it is stored. */
    public static Instant of(Instant time) {
        return time.truncatedTo(ChronoUnit.MICROS);
    }
}
