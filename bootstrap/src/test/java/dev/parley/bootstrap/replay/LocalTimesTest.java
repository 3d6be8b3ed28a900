package dev.parley.bootstrap.replay;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import org.junit.jupiter.api.Test;

/** Local times of scenarios: their text, and the nights on which clocks are changed. */
class LocalTimesTest {
    private final LocalTimes berlin = new LocalTimes(ZoneId.of("Europe/Berlin"));

    private Instant at(String local, String notBefore) {
        return berlin.instant(LocalDateTime.parse(local), Instant.parse(notBefore));
    }

    @Test
    void secondsAreAlwaysWrittenAndAFractionOnlyWhereThereIsOne() {
        assertThat(berlin.text(Instant.parse("2026-03-10T08:00:00Z"))).isEqualTo("2026-03-10T09:00:00");
        assertThat(berlin.text(Instant.parse("2026-03-10T08:00:00.25Z"))).isEqualTo("2026-03-10T09:00:00.25");
        assertThat(berlin.text(Instant.parse("2026-03-10T08:00:00.000001999Z")))
                .isEqualTo("2026-03-10T09:00:00.000001");
    }

    @Test
    void aTimeThatIsLeftOutIsTheFirstInstantAfterTheGap() {
        assertThat(at("2026-03-29T02:00:00", "1970-01-01T00:00:00Z")).isEqualTo("2026-03-29T01:00:00Z");
        assertThat(at("2026-03-29T02:59:59", "1970-01-01T00:00:00Z")).isEqualTo("2026-03-29T01:00:00Z");
    }

    @Test
    void aTimeThatComesTwiceIsTheEarlierUnlessThatHasPassed() {
        assertThat(at("2026-10-25T02:10:00", "2026-10-25T00:00:00Z")).isEqualTo("2026-10-25T00:10:00Z");
        assertThat(at("2026-10-25T02:10:00", "2026-10-25T00:30:00Z")).isEqualTo("2026-10-25T01:10:00Z");
        assertThat(at("2026-10-25T02:10:00", "2026-10-25T01:30:00Z")).isEqualTo("2026-10-25T00:10:00Z");
    }

    @Test
    void timesHaveNoOffset() {
        assertThat(LocalTimes.read("2026-03-10T09:00")).contains(LocalDateTime.parse("2026-03-10T09:00:00"));
        assertThat(LocalTimes.read("2026-03-10T09:00:00+01:00")).isEmpty();
        assertThat(LocalTimes.read("2026-03-10")).isEmpty();
    }
}
