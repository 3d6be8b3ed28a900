package dev.parley.domain.reset;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ResetRulesTest {
    private static final ZoneId BERLIN = ZoneId.of("Europe/Berlin");
    private static final List<ZoneId> ZONES = List.of(
            BERLIN,
            ZoneId.of("America/New_York"),
            ZoneId.of("Australia/Lord_Howe"),
            ZoneId.of("America/Havana"),
            ZoneId.of("Asia/Beirut"),
            ZoneId.of("Pacific/Apia"),
            ZoneId.of("Asia/Kathmandu"),
            ZoneOffset.UTC);

    @ParameterizedTest
    @CsvSource(
            nullValues = "-",
            value = {
                "2026-03-10T12:00, 2026-03-10T11:00:00.000, IDLE,  4, 60,   -",
                "2026-03-10T12:00, 2026-03-10T10:59:59.999, IDLE,  4, 60,   IDLE",
                "2026-03-10T04:00, 2026-03-10T04:00,        DAILY, 4, 60,   -",
                "2026-03-10T04:00, 2026-03-10T03:59:59.999, DAILY, 4, 60,   DAILY",
                "2026-03-10T03:59, 2026-03-09T04:00,        DAILY, 4, 60,   -",
                "2026-03-10T03:59, 2026-03-09T03:59,        DAILY, 4, 60,   DAILY",
                "2026-03-10T03:59, 2020-01-01T00:00,        NONE,  4, 60,   -",
                // only one of two applies
                "2026-03-10T04:30, 2026-03-10T03:30,        IDLE,  4, 1440, -",
                "2026-03-10T12:00, 2026-03-10T04:00,        DAILY, 4, 1,    -",
                // both: idle first, either alone
                "2026-03-10T12:00, 2026-03-08T12:00,        BOTH,  4, 1440, IDLE",
                "2026-03-10T04:00, 2026-03-10T03:59,        BOTH,  4, 1440, DAILY",
                "2026-03-10T12:00, 2026-03-10T10:00,        BOTH,  4, 60,   IDLE",
                "2026-03-10T12:00, 2026-03-10T11:30,        BOTH,  4, 60,   -",
                // midnight and the last hour
                "2026-03-10T00:00, 2026-03-09T23:59:59.999, DAILY, 0, 60,   DAILY",
                "2026-03-10T00:00, 2026-03-10T00:00,        DAILY, 0, 60,   -",
                "2026-03-10T22:59, 2026-03-09T23:00,        DAILY, 23, 60,  -",
                "2026-03-10T22:59, 2026-03-09T22:59,        DAILY, 23, 60,  DAILY",
                // a clock that went back
                "2026-03-10T12:00, 2026-03-10T13:00,        BOTH,  4, 60,   -",
            })
    @DisplayName("R6.2 to R6.6 the table: idle and daily, exactly at the limit and just beyond it")
    void theTableOfPolicies(
            LocalDateTime now,
            LocalDateTime updatedAt,
            ResetMode mode,
            int atHour,
            long idleMinutes,
            @Nullable ResetReason reason) {
        ResetPolicy policy =
                ResetPolicy.DEFAULT.withMode(mode).withAtHour(atHour).withIdle(Duration.ofMinutes(idleMinutes));

        assertThat(ResetRules.evaluate(policy, inBerlin(updatedAt), inBerlin(now), BERLIN))
                .isEqualTo(Optional.ofNullable(reason));
    }

    @Test
    @DisplayName("R6.2 one microsecond beyond the idle time is enough")
    void oneMicrosecondBeyondIsEnough() {
        ResetPolicy policy = ResetPolicy.DEFAULT.withMode(ResetMode.IDLE).withIdle(Duration.ofMinutes(60));
        Instant updatedAt = Instant.parse("2026-03-10T11:00:00Z");
        Instant limit = updatedAt.plus(policy.idle());

        assertThat(ResetRules.evaluate(policy, updatedAt, limit, BERLIN)).isEmpty();
        assertThat(ResetRules.evaluate(policy, updatedAt, limit.plusNanos(1000), BERLIN))
                .contains(ResetReason.IDLE);
    }

    @Test
    @DisplayName("R6.7 the idle time is real time, also across a change of clocks")
    void theIdleTimeIsRealTime() {
        ResetPolicy policy = ResetPolicy.DEFAULT.withMode(ResetMode.IDLE).withIdle(Duration.ofMinutes(90));
        Instant before = Instant.parse("2026-03-29T00:30:00Z"); // 01:30, clocks go from 02:00 to 03:00

        assertThat(ResetRules.evaluate(policy, before, inBerlin(LocalDateTime.parse("2026-03-29T04:00")), BERLIN))
                .isEmpty();
        assertThat(ResetRules.evaluate(policy, before, inBerlin(LocalDateTime.parse("2026-03-29T04:01")), BERLIN))
                .contains(ResetReason.IDLE);
    }

    @Test
    void aVeryLongIdleTimeNeverOverflows() {
        ResetPolicy policy = ResetPolicy.DEFAULT.withMode(ResetMode.IDLE).withIdle(Duration.ofSeconds(Long.MAX_VALUE));

        assertThat(ResetRules.evaluate(policy, Instant.EPOCH, Instant.parse("2026-03-10T12:00:00Z"), BERLIN))
                .isEmpty();
    }

    @Test
    @DisplayName("R6.3, R6.7 the boundary is that of the given zone")
    void theBoundaryIsThatOfTheZone() {
        Instant now = Instant.parse("2026-03-10T12:00:00Z");

        assertThat(ResetRules.dailyBoundary(now, 4, BERLIN)).isEqualTo("2026-03-10T03:00:00Z");
        assertThat(ResetRules.dailyBoundary(now, 4, ZoneId.of("America/New_York")))
                .isEqualTo("2026-03-10T08:00:00Z");
        assertThat(ResetRules.dailyBoundary(now, 4, ZoneId.of("Asia/Kathmandu")))
                .isEqualTo("2026-03-09T22:15:00Z");
        assertThat(ResetRules.dailyBoundary(now, 23, ZoneOffset.UTC)).isEqualTo("2026-03-09T23:00:00Z");
    }

    @ParameterizedTest
    @CsvSource({
        // clocks go forward: 02:00 does not exist, 03:00 is the first instant after the gap
        "Europe/Berlin,       2, 2026-03-29T12:00+02:00,    2026-03-29T03:00+02:00",
        "Europe/Berlin,       2, 2026-03-29T03:00+02:00,    2026-03-29T03:00+02:00",
        "Europe/Berlin,       2, 2026-03-29T01:59:59+01:00, 2026-03-28T02:00+01:00",
        "Europe/Berlin,       3, 2026-03-29T12:00+02:00,    2026-03-29T03:00+02:00",
        "Europe/Berlin,       4, 2026-03-29T03:59+02:00,    2026-03-28T04:00+01:00",
        // clocks go back: 02:00 exists twice, the earlier counts
        "Europe/Berlin,       2, 2026-10-25T12:00+01:00,    2026-10-25T02:00+02:00",
        "Europe/Berlin,       2, 2026-10-25T02:00+02:00,    2026-10-25T02:00+02:00",
        "Europe/Berlin,       2, 2026-10-25T02:00+01:00,    2026-10-25T02:00+02:00",
        "Europe/Berlin,       2, 2026-10-25T02:30+01:00,    2026-10-25T02:00+02:00",
        "Europe/Berlin,       3, 2026-10-25T02:59+01:00,    2026-10-24T03:00+02:00",
        "Europe/Berlin,       3, 2026-10-25T03:00+01:00,    2026-10-25T03:00+01:00",
        "America/New_York,    2, 2026-03-08T12:00-04:00,    2026-03-08T03:00-04:00",
        "America/New_York,    1, 2026-11-01T12:00-05:00,    2026-11-01T01:00-04:00",
        "America/New_York,    1, 2026-11-01T01:10-05:00,    2026-11-01T01:00-04:00",
        "America/New_York,    2, 2026-11-01T12:00-05:00,    2026-11-01T02:00-05:00",
        // half an hour: 02:00 becomes 02:30, and 02:00 goes back to 01:30
        "Australia/Lord_Howe, 2, 2026-10-04T12:00+11:00,    2026-10-04T02:30+11:00",
        "Australia/Lord_Howe, 2, 2026-04-05T12:00+10:30,    2026-04-05T02:00+10:30",
        "Australia/Lord_Howe, 1, 2026-04-05T01:45+10:30,    2026-04-05T01:00+11:00",
        // midnight itself is skipped, and comes twice
        "America/Havana,      0, 2026-03-08T12:00-04:00,    2026-03-08T01:00-04:00",
        "America/Havana,      0, 2026-03-07T23:59-05:00,    2026-03-07T00:00-05:00",
        "America/Havana,      0, 2026-11-01T12:00-05:00,    2026-11-01T00:00-04:00",
        "America/Havana,      0, 2026-11-01T00:30-05:00,    2026-11-01T00:00-04:00",
        "Asia/Beirut,         0, 2026-03-29T12:00+03:00,    2026-03-29T01:00+03:00",
        "Asia/Beirut,        23, 2026-10-24T23:30+02:00,    2026-10-24T23:00+03:00",
        "Asia/Beirut,         0, 2026-10-24T23:30+02:00,    2026-10-24T00:00+03:00",
        "Asia/Beirut,         0, 2026-10-25T12:00+02:00,    2026-10-25T00:00+02:00",
        // a whole day is skipped: its 04:00 is the first instant after it
        "Pacific/Apia,        4, 2011-12-29T23:59-10:00,    2011-12-29T04:00-10:00",
        "Pacific/Apia,        4, 2011-12-31T03:00+14:00,    2011-12-31T00:00+14:00",
        "Pacific/Apia,        4, 2011-12-31T05:00+14:00,    2011-12-31T04:00+14:00",
        // a gap that does not begin on the hour: 00:01 became 01:01
        "America/St_Johns,    0, 2007-03-11T12:00-02:30,    2007-03-11T00:00-03:30",
        "America/St_Johns,    1, 2007-03-11T12:00-02:30,    2007-03-11T01:01-02:30",
    })
    @DisplayName("R6.7 where clocks change: the first instant after a gap, the earlier of two")
    void whereClocksChange(ZoneId zone, int atHour, ZonedDateTime now, ZonedDateTime boundary) {
        assertThat(ResetRules.dailyBoundary(now.toInstant(), atHour, zone)).isEqualTo(boundary.toInstant());
    }

    @ParameterizedTest
    @ValueSource(longs = {71, 72, 73})
    @DisplayName("R6.3, R6.7 in every zone the boundary is the last one, never ahead, and never goes back")
    void theBoundaryIsTheLastOne(long seed) {
        Random random = new Random(seed);
        long from = Instant.parse("2005-01-01T00:00:00Z").getEpochSecond();
        for (int i = 0; i < 3000; i++) {
            ZoneId zone = ZONES.get(random.nextInt(ZONES.size()));
            int atHour = random.nextInt(24);
            Instant now = Instant.ofEpochSecond(from + random.nextInt(20 * 365 * 86_400));
            Instant later = now.plusSeconds(random.nextInt(2 * 86_400));

            Instant boundary = ResetRules.dailyBoundary(now, atHour, zone);

            assertThat(boundary).isBeforeOrEqualTo(now).isAfter(now.minus(Duration.ofHours(26)));
            assertThat(ResetRules.dailyBoundary(boundary, atHour, zone)).isEqualTo(boundary);
            assertThat(ResetRules.dailyBoundary(boundary.minusNanos(1), atHour, zone))
                    .isBefore(boundary);
            assertThat(ResetRules.dailyBoundary(later, atHour, zone)).isAfterOrEqualTo(boundary);
            LocalTime shown = boundary.atZone(zone).toLocalTime();
            boolean afterGap = zone.getRules().getOffset(boundary.minusNanos(1)).getTotalSeconds()
                    < zone.getRules().getOffset(boundary).getTotalSeconds();
            assertThat(shown.equals(LocalTime.of(atHour, 0)) || afterGap).isTrue();
        }
    }

    @ParameterizedTest
    @CsvSource({
        "PT0S,             PT24H, true",
        "PT23H59M59.999S,  PT24H, true",
        "PT24H,            PT24H, false",
        "PT24H0.001S,      PT24H, false",
        "PT100000H,        PT0S,  true",
        "PT-5M,            PT24H, true",
    })
    @DisplayName("R6.10 a process blocks while it is younger than the limit; without a limit it always does")
    void aProcessBlocksWhileItIsYoung(Duration age, Duration limit, boolean blocks) {
        Instant now = Instant.parse("2026-03-10T12:00:00Z");
        ResetPolicy policy = ResetPolicy.DEFAULT.withBackgroundProcessMaxAge(limit);

        assertThat(ResetRules.blocks(now.minus(age), now, policy)).isEqualTo(blocks);
    }

    private static Instant inBerlin(LocalDateTime local) {
        return local.atZone(BERLIN).toInstant();
    }
}
