package dev.parley.application.view;

import dev.parley.application.port.InvalidRequest;
import dev.parley.domain.text.OneLine;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneId;
import java.util.Optional;

/**
 * A span of time as people ask for it.
 *
 * @param from its beginning, which belongs to it; absent where it has none
 * @param to its end, which does not belong to it; absent where it has none
 */
public record TimeSpan(Optional<Instant> from, Optional<Instant> to) {
    private static final String FORMS =
            "say a day such as 2026-11-20, a time such as 2026-11-20T14:30, or one of another"
                    + " zone such as 2026-11-20T14:30:00Z.";

    /**
     * Reads a span. A day begins and ends as days do in {@code zone}; one that is said as the end belongs to the span. Blank texts are
     * absent.
     *
     * @param fromName what the beginning is called where it is asked for
     * @param from a day, a time in {@code zone}, or a time with its own offset
     * @param toName what the end is called where it is asked for
     * @param to likewise
     * @throws InvalidRequest where a text is none of these, or the end is not behind the beginning
     */
    public static TimeSpan of(String fromName, Optional<String> from, String toName, Optional<String> to, ZoneId zone) {
        Optional<Instant> begin = stripped(from).map(text -> read(fromName, text, 0, zone));
        Optional<Instant> end = stripped(to).map(text -> read(toName, text, 1, zone));
        if (begin.isPresent() && end.filter(begin.get()::isBefore).isEmpty() && end.isPresent()) {
            throw new InvalidRequest(toName + " is not later than " + fromName + ".");
        }
        return new TimeSpan(begin, end);
    }

    private static Optional<String> stripped(Optional<String> text) {
        return text.map(String::strip).filter(some -> !some.isEmpty());
    }

    private static Instant read(String name, String text, int days, ZoneId zone) {
        try {
            if (!text.contains("T")) {
                return LocalDate.parse(text).plusDays(days).atStartOfDay(zone).toInstant();
            }
            String time = text.substring(text.indexOf('T'));
            boolean offset = time.endsWith("Z") || time.contains("+") || time.contains("-");
            return offset
                    ? OffsetDateTime.parse(text).toInstant()
                    : LocalDateTime.parse(text).atZone(zone).toInstant();
        } catch (DateTimeException e) {
            throw new InvalidRequest(name + " is " + OneLine.quoted(text) + "; " + FORMS);
        }
    }

    /** Returns whether it has neither beginning nor end. */
    public boolean isAll() {
        return from.isEmpty() && to.isEmpty();
    }
}
