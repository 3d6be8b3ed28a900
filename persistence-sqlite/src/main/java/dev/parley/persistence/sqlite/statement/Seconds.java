package dev.parley.persistence.sqlite.statement;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import java.util.OptionalDouble;
import org.jspecify.annotations.Nullable;

/**
 * Times as the columns of the shared tables hold them: seconds since 1970 with a fraction. Parley's times are whole microseconds;
 * times of other systems keep every digit that a column of theirs has, so what is read and written again is the same number.
 */
public final class Seconds {
    private static final double MICROS = 1_000_000.0;
    /** The years 0 to 9999: what is beyond is no time that anybody stored on purpose. */
    private static final double EARLIEST = -62_167_219_200.0;

    private static final double LATEST = 253_402_300_799.0;

    private static final long BILLION = 1_000_000_000L;

    private Seconds() {}

    /** Returns the column's value: the number nearest to the time. */
    public static double write(Instant instant) {
        long seconds = instant.getEpochSecond();
        boolean wholeMicros = instant.getNano() % 1000 == 0 && seconds > EARLIEST && seconds < LATEST;
        return wholeMicros
                ? (seconds * 1_000_000 + instant.getNano() / 1000) / MICROS
                : BigDecimal.valueOf(seconds)
                        .add(BigDecimal.valueOf(instant.getNano(), 9))
                        .doubleValue();
    }

    /** Returns the column's value; null for nothing. */
    public static @Nullable Double write(Optional<Instant> instant) {
        return instant.map(Seconds::write).orElse(null);
    }

    /**
     * Returns the time: whole microseconds where they are this number, else nanoseconds. What is no number or far outside of any
     * calendar becomes the nearest limit.
     */
    public static Instant read(double column) {
        double seconds = Double.isNaN(column) ? 0 : Math.max(EARLIEST, Math.min(LATEST, column));
        Instant micros = Instant.EPOCH.plus(Math.round(seconds * MICROS), ChronoUnit.MICROS);
        return write(micros) == seconds ? micros : exactly(new BigDecimal(seconds));
    }

    private static Instant exactly(BigDecimal seconds) {
        BigDecimal nanos = seconds.movePointRight(9).setScale(0, RoundingMode.HALF_EVEN);
        BigInteger[] parts = nanos.toBigInteger().divideAndRemainder(BigInteger.valueOf(BILLION));
        return Instant.ofEpochSecond(parts[0].longValue(), parts[1].longValue());
    }

    /** Returns the time; absent for null. */
    public static Optional<Instant> read(OptionalDouble column) {
        return column.isPresent() ? Optional.of(read(column.getAsDouble())) : Optional.empty();
    }
}
