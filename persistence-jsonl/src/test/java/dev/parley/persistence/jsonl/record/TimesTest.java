package dev.parley.persistence.jsonl.record;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Times as they stand in files. */
class TimesTest {
    @Test
    void everyTimeIsReadAsItWasWritten() {
        Random random = new Random(7);
        for (int i = 0; i < 20_000; i++) {
            Instant at = Instant.ofEpochSecond(
                    random.nextLong(-70_000_000_000L, 300_000_000_000L), random.nextInt(1_000_000_000));
            for (ChronoUnit unit :
                    List.of(ChronoUnit.NANOS, ChronoUnit.MICROS, ChronoUnit.MILLIS, ChronoUnit.SECONDS)) {
                Instant written = at.truncatedTo(unit);
                assertThat(Times.instant(written.toString())).isEqualTo(written);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "2026-03-10T12:00:00.5Z",
                "2026-02-28T23:59:59.999999999Z",
                "2024-02-29T00:00:00Z",
                "2026-12-31T24:00:00Z",
                "0000-01-01T00:00:00Z",
                "2016-12-31T23:59:60Z",
                "2026-03-10t12:00:00z",
                "-0001-03-10T12:00:00Z",
                "+12026-03-10T12:00:00Z"
            })
    void oddTimesAreReadAsTheLibraryReadsThem(String text) {
        assertThat(Times.instant(text)).isEqualTo(Instant.parse(text));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "2026-13-10T12:00:00Z",
                "2026-02-30T12:00:00Z",
                "2026-03-10T12:60:00Z",
                "2026-03-10T12:00:00.1234567890Z",
                "2026-03-1xT12:00:00Z",
                "2026-03-10T12:00:00.12345x789Z",
                "2026-03-10 12:00:00Z"
            })
    void whatIsNoTimeIsRefused(String text) {
        assertThatThrownBy(() -> Times.instant(text)).isInstanceOf(DateTimeException.class);
    }
}
