package dev.parley.domain.text;

import java.time.Duration;

/** Lengths of time as people read them. Fractions of a second are left out, except that there is no length of none. */
public final class Spans {
    private static final int SECONDS_OF_A_MINUTE = 60;

    private Spans() {}

    /** Returns hours and minutes, such as {@code 24h}, {@code 1h 30m} or {@code 45m}; seconds, such as {@code 20s}, below a minute. */
    public static String brief(Duration span) {
        return of(span, "h", "m", "s");
    }

    /** Returns hours and minutes, such as {@code 2 h}, {@code 2 h 5 min} or {@code 3 min}; seconds, such as {@code 40 s}, below a minute. */
    public static String inWords(Duration span) {
        return of(span, " h", " min", " s");
    }

    private static String of(Duration span, String hour, String minute, String second) {
        long hours = span.toHours();
        int minutes = span.toMinutesPart();
        if (hours == 0 && minutes == 0) {
            return seconds(span) + second;
        }
        String first = hours > 0 ? hours + hour : "";
        return first + (hours > 0 && minutes > 0 ? " " : "") + (minutes > 0 ? minutes + minute : "");
    }

    /** Returns minutes in full, such as {@code 30 minutes}; seconds where it is not so many whole minutes and less than five. */
    public static String inFull(Duration span) {
        long seconds = seconds(span);
        boolean whole = seconds > 0 && seconds % SECONDS_OF_A_MINUTE == 0;
        return whole || span.toMinutes() >= 5 ? count(span.toMinutes(), "minute") : count(seconds, "second");
    }

    private static long seconds(Duration span) {
        return span.isZero() || span.isNegative() ? 0 : Math.max(1, span.toSeconds());
    }

    private static String count(long number, String noun) {
        return number + " " + noun + (number == 1 ? "" : "s");
    }
}
