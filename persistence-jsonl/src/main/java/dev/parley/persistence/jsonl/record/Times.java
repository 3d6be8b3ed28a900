package dev.parley.persistence.jsonl.record;

import java.time.Instant;
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

    private Times() {}

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
