package dev.parley.adapter.discord.inbound;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * An id of Discord's, which says when it was made. Later ones are greater.
 *
 * @param value its number
 */
public record Snowflake(long value) implements Comparable<Snowflake> {
    private static final Pattern FORM = Pattern.compile("[0-9]{1,19}");
    private static final long EPOCH_MILLIS = 1_420_070_400_000L;
    private static final int BELOW_TIME = 22;

    /** Returns a text as an id; absent where it is none. */
    public static Optional<Snowflake> of(String text) {
        if (!FORM.matcher(text).matches()) {
            return Optional.empty();
        }
        try {
            return Optional.of(new Snowflake(Long.parseLong(text)));
        } catch (NumberFormatException tooLarge) {
            return Optional.empty();
        }
    }

    /** Returns the least id of a time; of a time before Discord zero. */
    public static Snowflake of(Instant at) {
        return new Snowflake(Math.max(0, at.toEpochMilli() - EPOCH_MILLIS) << BELOW_TIME);
    }

    /** Returns the least id of so much earlier. */
    Snowflake minus(Duration time) {
        return of(instant().minus(time));
    }

    /** Returns when it was made. */
    public Instant instant() {
        return Instant.ofEpochMilli((value >> BELOW_TIME) + EPOCH_MILLIS);
    }

    /** Returns it as Discord writes it. */
    public String text() {
        return String.valueOf(value);
    }

    @Override
    public int compareTo(Snowflake other) {
        return Long.compare(value, other.value);
    }
}
