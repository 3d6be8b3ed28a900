package dev.parley.adapter.console;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

/**
 * Times as people read them, in the gateway's zone.
 *
 * @param zone the zone
 * @param now when they are read
 */
record Times(ZoneId zone, Instant now) {
    private static final DateTimeFormatter EXACT = DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss", Locale.ENGLISH);
    private static final DateTimeFormatter DAY = DateTimeFormatter.ofPattern("d MMM yyyy", Locale.ENGLISH);

    /** Returns what the zone is called. */
    String place() {
        return zone.equals(ZoneOffset.UTC) ? "UTC" : zone.getId();
    }

    /** Returns the exact time. */
    String exact(Instant at) {
        return EXACT.format(at.atZone(zone));
    }

    /** Returns a recorded value on one line; an instant as its exact time. */
    String shown(String value) {
        try {
            return value.endsWith("Z") ? exact(Instant.parse(value)) : Words.line(value);
        } catch (DateTimeException noTime) {
            return Words.line(value);
        }
    }

    /** Returns a day. */
    static String day(LocalDate day) {
        return DAY.format(day);
    }

    /** Returns how long ago it was; the day where that is more than a month. */
    String ago(Instant at) {
        Duration past = Duration.between(at, now);
        if (past.compareTo(Duration.ofDays(31)) > 0) {
            return DAY.format(at.atZone(zone));
        }
        return past.isNegative()
                ? exact(at)
                : past.compareTo(Duration.ofSeconds(10)) < 0 ? "just now" : rough(past) + " ago";
    }

    /** Returns a span in its greatest unit: nobody who looks back needs more, and the exact time is beside it. */
    private static String rough(Duration past) {
        long hours = past.toHours();
        if (hours < 1) {
            return span(past);
        }
        return hours < 24 ? hours + " h" : Words.count(hours / 24, "day");
    }

    /** Returns a span in its one or two greatest units. */
    static String span(Duration time) {
        long seconds = Math.max(0, time.toSeconds());
        if (seconds < 60) {
            return seconds + " s";
        }
        if (seconds < 3_600) {
            return seconds / 60 + " min" + (seconds < 600 && seconds % 60 > 0 ? " " + seconds % 60 + " s" : "");
        }
        if (seconds < 86_400) {
            return seconds / 3_600 + " h" + (seconds % 3_600 >= 60 ? " " + seconds % 3_600 / 60 + " min" : "");
        }
        return seconds / 86_400 + " d" + (seconds % 86_400 >= 3_600 ? " " + seconds % 86_400 / 3_600 + " h" : "");
    }

    Cell cell(String head, Instant at) {
        return Cell.text(head, ago(at)).titled(exact(at)).in("when");
    }
}
