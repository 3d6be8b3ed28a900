package dev.parley.adapter.slack.inbound;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * What names a message in its conversation: seconds since 1970 with a fraction. Later messages have greater ones.
 *
 * @param text as Slack writes it
 */
record Timestamp(String text) implements Comparable<Timestamp> {
    private static final Pattern FORM = Pattern.compile("[0-9]{1,12}(\\.[0-9]{1,9})?");

    /** Returns a text as a timestamp; absent where it is none. */
    static Optional<Timestamp> of(String text) {
        return FORM.matcher(text).matches() ? Optional.of(new Timestamp(text)) : Optional.empty();
    }

    /** Returns an instant as a timestamp. */
    static Timestamp of(Instant at) {
        return new Timestamp(
                String.format(Locale.ROOT, "%d.%06d", Math.max(0, at.getEpochSecond()), at.getNano() / 1_000));
    }

    /** Returns the time before this one, not before 1970. */
    Timestamp minus(Duration time) {
        BigDecimal before = value().subtract(BigDecimal.valueOf(time.toMillis(), 3));
        return new Timestamp(
                before.max(BigDecimal.ZERO).setScale(6, RoundingMode.DOWN).toPlainString());
    }

    /** Returns when that is. */
    Optional<Instant> instant() {
        try {
            BigDecimal value = value();
            long seconds = value.longValue();
            long nanos = value.subtract(BigDecimal.valueOf(seconds))
                    .movePointRight(9)
                    .longValue();
            return Optional.of(Instant.ofEpochSecond(seconds, nanos));
        } catch (DateTimeException absurd) {
            return Optional.empty();
        }
    }

    private BigDecimal value() {
        return new BigDecimal(text);
    }

    @Override
    public int compareTo(Timestamp other) {
        return value().compareTo(other.value());
    }
}
