package dev.parley.persistence.sql.statement;

import java.time.Instant;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** Times as columns hold them: nanoseconds since 1970, so that every digit another store kept is kept here too. */
public final class Time {
    private static final long BILLION = 1_000_000_000L;
    /** The first and last whole second that nanoseconds reach: the years 1677 and 2262. */
    private static final long REACH = Long.MAX_VALUE / BILLION - 1;

    private Time() {}

    /** Returns the nanoseconds; what they do not reach becomes the nearest limit. */
    public static long nanos(Instant instant) {
        long seconds = Math.max(-REACH, Math.min(REACH, instant.getEpochSecond()));
        return seconds * BILLION + instant.getNano();
    }

    /** Returns the nanoseconds; null for nothing. */
    public static @Nullable Long nanos(Optional<Instant> instant) {
        return instant.map(Time::nanos).orElse(null);
    }

    /** Returns the time these nanoseconds stand for. */
    public static Instant ofNanos(long nanos) {
        return Instant.ofEpochSecond(Math.floorDiv(nanos, BILLION), Math.floorMod(nanos, BILLION));
    }

    /** Returns the time these nanoseconds stand for; absent for null. */
    public static Optional<Instant> ofNanos(OptionalLong nanos) {
        return nanos.isPresent() ? Optional.of(ofNanos(nanos.getAsLong())) : Optional.empty();
    }
}
