package dev.parley.persistence.sqlite.statement;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.Random;
import java.util.stream.DoubleStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Times in the columns of the shared tables: 8-byte numbers of seconds since 1970, with a fraction. */
class SecondsTest {
    @ParameterizedTest
    @ValueSource(
            doubles = {0, 1.5, 1.6, -1.25, 1767968000.7500029, 1767968000.750003, 1767348002.5, 1e-9, 4102444800.1234565
            })
    void aColumnIsWrittenAsItWasRead(double column) {
        assertThat(Seconds.write(Seconds.read(column))).isEqualTo(column);
    }

    @ParameterizedTest
    @MethodSource("clockReadings")
    void everyReadingOfAClockIsWrittenAsItWasRead(double column) {
        assertThat(Seconds.write(Seconds.read(column))).isEqualTo(column);
    }

    static DoubleStream clockReadings() {
        return new Random(7).doubles(200, 1.0e9, 2.0e9);
    }

    @Test
    void parleysOwnTimesComeBackAsWholeMicroseconds() {
        Instant at = Instant.parse("2026-03-10T04:00:00.123457Z");

        assertThat(Seconds.read(Seconds.write(at))).isEqualTo(at);
    }

    @ParameterizedTest
    @ValueSource(doubles = {Double.NaN, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY, 1e300, -1e300})
    void whatIsNoTimeBecomesTheNearestLimit(double column) {
        assertThat(Seconds.read(column))
                .isBetween(Instant.parse("0000-01-01T00:00:00Z"), Instant.parse("9999-12-31T23:59:59Z"));
    }
}
