package dev.parley.application.view;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.parley.application.port.InvalidRequest;
import java.time.Instant;
import java.time.ZoneId;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TimeSpanTest {
    private static final ZoneId BERLIN = ZoneId.of("Europe/Berlin");

    private static TimeSpan span(String from, String to) {
        return TimeSpan.of("--from", Optional.of(from), "--to", Optional.of(to), BERLIN);
    }

    @Test
    void daysBeginAndEndAsTheyDoInTheZoneAndTheLastOneBelongsToTheSpan() {
        assertThat(span("2026-03-28", "2026-03-29"))
                .isEqualTo(new TimeSpan(
                        Optional.of(Instant.parse("2026-03-27T23:00:00Z")),
                        Optional.of(Instant.parse("2026-03-29T22:00:00Z"))));
    }

    @Test
    void timesAreThoseOfTheZoneUnlessTheySayAnother() {
        assertThat(span("2026-11-20T14:30", " 2026-11-20T14:30:00Z "))
                .isEqualTo(new TimeSpan(
                        Optional.of(Instant.parse("2026-11-20T13:30:00Z")),
                        Optional.of(Instant.parse("2026-11-20T14:30:00Z"))));
        assertThat(span("2026-11-20T14:30:05+05:45", "").from()).hasValue(Instant.parse("2026-11-20T08:45:05Z"));
    }

    @Test
    void blankTextsAreNoBounds() {
        assertThat(span("", "  ").isAll()).isTrue();
        assertThat(TimeSpan.of("from", Optional.empty(), "to", Optional.empty(), BERLIN)
                        .isAll())
                .isTrue();
        assertThat(span("2026-11-20", "").isAll()).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"yesterday", "2026-13-01", "2026-11-20T25:00", "20.11.2026", "+999999999-12-31", "T", "1"})
    void whatIsNoTimeIsRefusedWithWhatToSay(String text) {
        assertThatThrownBy(() -> span("", text))
                .isInstanceOf(InvalidRequest.class)
                .hasMessageStartingWith("--to is '" + text + "'; say a day such as 2026-11-20");
    }

    @Test
    void anEndThatIsNotBehindTheBeginningIsRefused() {
        assertThatThrownBy(() -> span("2026-11-20", "2026-11-19"))
                .isInstanceOf(InvalidRequest.class)
                .hasMessage("--to is not later than --from.");
        assertThat(span("2026-11-20", "2026-11-20").isAll()).isFalse();
    }
}
