package dev.parley.adapter.console;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.domain.turn.TurnId;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** A turn leads to its trace. */
class TracesTest {
    @Test
    void theLinkOfATurnNamesTheTraceThatTheCollectorWasSent() {
        Cell cell = new Traces(Optional.of("https://traces.example/trace/{trace}?tab=1")).cell(new TurnId("turn-1"));

        assertThat(cell.href()).isEqualTo("https://traces.example/trace/974cad2dd603827b06e9e6affa3de03d?tab=1");
    }
}
