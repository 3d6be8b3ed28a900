package dev.parley.home.log;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.application.replay.VirtualClock;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.Test;

class RepeatedLinesTest {
    private static final Instant BEGIN = Instant.parse("2026-03-10T09:00:00Z");

    private final VirtualClock clock = new VirtualClock(BEGIN);
    private final RepeatedLines lines = new RepeatedLines(clock);

    @Test
    void aLineIsWrittenOnceInAMinuteThenWithHowOftenItWasLeftOut() {
        assertThat(lines.due("disk full")).contains(0);
        for (int i = 0; i < 1_345; i++) {
            assertThat(lines.due("disk full")).isEmpty();
        }
        clock.set(BEGIN.plus(Duration.ofMinutes(1)).minusNanos(1));
        assertThat(lines.due("disk full")).isEmpty();

        clock.set(BEGIN.plus(Duration.ofMinutes(1)));
        assertThat(lines.due("disk full")).contains(1_346);
        assertThat(lines.due("disk full")).isEmpty();
    }

    @Test
    void anotherLineIsWrittenAtOnce() {
        lines.due("disk full");

        assertThat(lines.due("disk gone")).contains(0);
    }

    @Test
    void whatWasLeftOutIsToldWhenTheLinesAreForgotten() {
        lines.due("disk full");
        lines.due("disk full");
        lines.due("disk full");
        lines.due("disk gone");

        assertThat(lines.takeRests()).isEqualTo(Map.of("disk full", 2));
        assertThat(lines.takeRests()).isEmpty();
        assertThat(lines.due("disk full")).contains(0);
    }

    @Test
    void aHundredLinesAreRemembered() {
        for (int i = 0; i < 100; i++) {
            assertThat(lines.isFull()).isFalse();
            lines.due("line " + i);
        }

        assertThat(lines.isFull()).isTrue();
    }

    @Test
    void aClockThatGoesBackLeavesNothingOutForEver() {
        lines.due("disk full");
        clock.set(BEGIN.minus(Duration.ofDays(1)));

        assertThat(lines.due("disk full")).contains(0);
    }
}
