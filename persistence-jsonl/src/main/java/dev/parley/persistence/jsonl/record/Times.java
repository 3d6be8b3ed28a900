package dev.parley.persistence.jsonl.record;

import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;

/** Times as texts for other readers, as exact as such texts are; what counts stands elsewhere to the nanosecond. */
public final class Times {
    private static final Instant FIRST = Instant.parse("0000-01-02T00:00:00Z");
    private static final Instant LAST = Instant.parse("9999-12-30T23:59:59Z");
    private static final DateTimeFormatter SECONDS = DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss");
    private static final DateTimeFormatter MICROS = DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSSSSS");
    private static final DateTimeFormatter WITH_OFFSET = DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSSSSSxxx");

    private static final int SHORTEST_MONTH = 28;
    /** The value in nanoseconds of the last digit, by the number of digits. */
    private static final long[] NANOS = {0, 100_000_000, 10_000_000, 1_000_000, 100_000, 10_000, 1_000, 100, 10, 1};

    private Times() {}

    /** Returns what {@link Instant#parse} does, sooner for most of what {@link Instant#toString} writes. */
    static Instant instant(String text) {
        int length = text.length();
        boolean usual = length >= 20
                && length <= 30
                && length != 21
                && text.charAt(4) == '-'
                && text.charAt(7) == '-'
                && text.charAt(10) == 'T'
                && text.charAt(13) == ':'
                && text.charAt(16) == ':'
                && (length == 20 || text.charAt(19) == '.')
                && text.charAt(length - 1) == 'Z';
        return usual ? usual(text) : Instant.parse(text);
    }

    private static Instant usual(String text) {
        int year = number(text, 0, 4);
        int month = number(text, 5, 7);
        int day = number(text, 8, 10);
        int hour = number(text, 11, 13);
        int minute = number(text, 14, 16);
        int second = number(text, 17, 19);
        int digits = Math.max(0, text.length() - 21);
        int fraction = digits == 0 ? 0 : number(text, 20, 20 + digits);
        boolean plain = year >= 0
                && month >= 1
                && month <= 12
                && day >= 1
                && day <= SHORTEST_MONTH
                && hour >= 0
                && hour < 24
                && minute >= 0
                && minute < 60
                && second >= 0
                && second < 60
                && fraction >= 0;
        if (!plain) {
            return Instant.parse(text);
        }
        long seconds = LocalDate.of(year, month, day).toEpochDay() * 86_400L + hour * 3_600L + minute * 60L + second;
        return Instant.ofEpochSecond(seconds, fraction * NANOS[digits]);
    }

    /** The number that these characters are, or -1 where they are not all digits. */
    private static int number(String text, int from, int to) {
        int number = 0;
        for (int i = from; i < to; i++) {
            char c = text.charAt(i);
            if (c < '0' || c > '9') {
                return -1;
            }
            number = 10 * number + (c - '0');
        }
        return number;
    }

    /** Returns the local time in a zone, without an offset, with a fraction where there is one (E2.4). */
    public static String local(Instant at, ZoneId zone) {
        Instant shown = within(at).truncatedTo(ChronoUnit.MICROS);
        boolean whole = shown.equals(shown.truncatedTo(ChronoUnit.SECONDS));
        return (whole ? SECONDS : MICROS).format(shown.atZone(zone));
    }

    /** Returns the time with its offset and a fraction, as RFC 3339 has it (storage 7.1). */
    public static String withOffset(Instant at, ZoneId zone) {
        return WITH_OFFSET.format(within(at).atZone(zone));
    }

    /** The nearest time that has a year of four digits everywhere. */
    private static Instant within(Instant at) {
        if (at.isBefore(FIRST)) {
            return FIRST;
        }
        return at.isAfter(LAST) ? LAST : at;
    }
}
