package dev.parley.bootstrap.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class PlatformRowTest {
    @Test
    void whatIsWrongAndWhatToDoAreSentencesOfTheirOwn() {
        PlatformRow row = new PlatformRow(
                "signal",
                "away",
                Optional.empty(),
                Optional.of("The daemon could not be reached: ConnectException"),
                Optional.of("Start it."),
                List.of("A token is missing."));

        assertThat(row.text())
                .isEqualTo("The daemon could not be reached: ConnectException. A token is missing. Start it.");
    }

    @Test
    void anErrorThatIsOverIsCalledTheLast() {
        assertThat(new PlatformRow(
                                "signal",
                                "connected",
                                Optional.empty(),
                                Optional.of("It was away"),
                                Optional.empty(),
                                List.of())
                        .text())
                .isEqualTo("last error: It was away.");
    }
}
