package dev.parley.bootstrap.replay;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.time.temporal.ChronoUnit;
import java.time.zone.ZoneOffsetTransition;
import java.util.List;
import java.util.Optional;

/**
 * The local times of a scenario: ISO date and time without an offset, seconds and fraction optional when read; written with
 * seconds always, and with a fraction where there is one.
 *
 * @param zone their zone
 */
record LocalTimes(ZoneId zone) {

    /** Returns the date and time in a text; absent where it is none. */
    static Optional<LocalDateTime> read(String text) {
        try {
            return Optional.of(LocalDateTime.parse(text, DateTimeFormatter.ISO_LOCAL_DATE_TIME)
                    .truncatedTo(ChronoUnit.MICROS));
        } catch (DateTimeParseException e) {
            return Optional.empty();
        }
    }

    /**
     * Returns the instant of a local time. A time that the zone leaves out is the first instant after the gap (as R6.7); one that
     * comes twice is the earlier, unless that lies before {@code notBefore} and the later does not.
     *
     * @throws DateTimeException where the time is too far away to have an instant
     */
    Instant instant(LocalDateTime local, Instant notBefore) {
        List<ZoneOffset> offsets = zone.getRules().getValidOffsets(local);
        if (offsets.isEmpty()) {
            ZoneOffsetTransition gap = zone.getRules().getTransition(local);
            return gap.getInstant();
        }
        Instant earlier = local.toInstant(offsets.get(0));
        if (offsets.size() > 1 && earlier.isBefore(notBefore)) {
            Instant later = local.toInstant(offsets.get(1));
            return later.isBefore(notBefore) ? earlier : later;
        }
        return earlier;
    }

    /** Returns how an instant is written. */
    String text(Instant instant) {
        return DateTimeFormatter.ISO_LOCAL_DATE_TIME.format(
                instant.truncatedTo(ChronoUnit.MICROS).atZone(zone));
    }
}
