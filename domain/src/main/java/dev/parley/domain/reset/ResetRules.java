package dev.parley.domain.reset;

import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.zone.ZoneOffsetTransition;
import java.util.List;
import java.util.Optional;

/** Whether a policy ends a session now (R6.2 to R6.10). The same for a message and for the expiry watcher (R6.5). */
public final class ResetRules {
    private ResetRules() {}

    /**
     * Why the policy ends a session that was last active at {@code updatedAt}; empty if it does not. Inactivity is named
     * before the daily boundary when both apply (R6.4); being exactly at either limit does not end it (R6.2, R6.3).
     * Whether active processes keep the session (R6.9) or it is suspended (R6.12) is the caller's to know.
     */
    public static Optional<ResetReason> evaluate(ResetPolicy policy, Instant updatedAt, Instant now, ZoneId zone) {
        if (policy.mode().includesIdle() && Duration.between(updatedAt, now).compareTo(policy.idle()) > 0) {
            return Optional.of(ResetReason.IDLE);
        }
        if (policy.mode().includesDaily() && updatedAt.isBefore(dailyBoundary(now, policy.atHour(), zone))) {
            return Optional.of(ResetReason.DAILY);
        }
        return Optional.empty();
    }

    /**
     * The last daily boundary at or before {@code now}: that hour of today in the zone, or of yesterday if it is still to
     * come (R6.3). On a day whose clocks skip the hour it is the first instant after the gap; on a day that has the hour
     * twice it is the earlier one (R6.7).
     */
    public static Instant dailyBoundary(Instant now, int atHour, ZoneId zone) {
        LocalDate day = now.atZone(zone).toLocalDate();
        Instant boundary = boundaryOn(day, atHour, zone);
        while (boundary.isAfter(now)) {
            day = day.minusDays(1);
            boundary = boundaryOn(day, atHour, zone);
        }
        return boundary;
    }

    private static Instant boundaryOn(LocalDate day, int atHour, ZoneId zone) {
        LocalDateTime wanted = LocalDateTime.of(day, LocalTime.of(atHour, 0));
        List<ZoneOffset> offsets = zone.getRules().getValidOffsets(wanted);
        if (!offsets.isEmpty()) {
            return wanted.toInstant(offsets.get(0));
        }
        ZoneOffsetTransition gap = zone.getRules().getTransition(wanted);
        return gap.getInstant();
    }

    /**
     * Whether a background process keeps its session alive: while it is younger than the maximum age; from exactly that
     * age on it does not, and without a maximum it always does (R6.10).
     *
     * @param defaultPolicy the default policy, also for a lane with another policy
     */
    public static boolean blocks(Instant processStartedAt, Instant now, ResetPolicy defaultPolicy) {
        Duration limit = defaultPolicy.backgroundProcessMaxAge();
        return limit.isZero() || Duration.between(processStartedAt, now).compareTo(limit) < 0;
    }
}
