package dev.parley.persistence.sql.statement;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TimeTest {

    @ParameterizedTest
    @ValueSource(
            strings = {
                "1970-01-01T00:00:00Z",
                "1969-12-31T23:59:59.999999999Z",
                "2026-02-28T12:34:56.123456789Z",
                "1700-01-01T00:00:00.000000001Z",
                "2261-12-31T23:59:59Z"
            })
    void everyDigitOfATimeComesBack(Instant instant) {
        assertThat(Time.ofNanos(Time.nanos(instant))).isEqualTo(instant);
    }

    @Test
    void whatNanosecondsDoNotReachBecomesTheNearestLimit() {
        assertThat(Time.ofNanos(Time.nanos(Instant.MAX)).toString()).startsWith("2262-");
        assertThat(Time.ofNanos(Time.nanos(Instant.MIN)).toString()).startsWith("1677-");
    }

    @Test
    void nothingStaysNothing() {
        assertThat(Time.nanos(Optional.empty())).isNull();
        assertThat(Time.ofNanos(OptionalLong.empty())).isEmpty();
        assertThat(Time.ofNanos(OptionalLong.of(1))).hasValue(Instant.ofEpochSecond(0, 1));
    }
}
