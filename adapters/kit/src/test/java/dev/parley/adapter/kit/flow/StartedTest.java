package dev.parley.adapter.kit.flow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.parley.application.port.DeliveryFailed;
import org.junit.jupiter.api.Test;

class StartedTest {
    private final Started<String> parts = new Started<>("The bot");

    @Test
    void whatIsSentBeforeTheStartAndAfterTheStopIsTriedAgainLater() {
        assertAway();
        parts.begin("a sender");
        assertThat(parts.get()).isEqualTo("a sender");
        parts.end();
        assertAway();
    }

    private void assertAway() {
        assertThat(parts.found()).isEmpty();
        assertThatThrownBy(parts::get)
                .isInstanceOfSatisfying(
                        DeliveryFailed.class,
                        failed -> assertThat(failed.kind()).isEqualTo(DeliveryFailed.Kind.AWAY))
                .hasMessage("The bot is stopped.");
    }

    @Test
    void aStopHandsOutWhatWasStartedOnce() {
        parts.begin("a sender");
        assertThat(parts.end()).contains("a sender");
        assertThat(parts.end()).isEmpty();
    }

    @Test
    void aPlatformStartsAgainAfterItsStop() {
        parts.begin("the first");
        parts.end();
        parts.begin("the second");
        assertThat(parts.found()).contains("the second");
    }
}
