package dev.parley.adapter.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Meters that happen often are made once. */
class KeptTest {
    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private final List<Tags> made = new ArrayList<>();
    private final Kept<Counter> kept = new Kept<>(List.of("kind", "again"), tags -> {
        made.add(tags);
        return registry.counter("things", tags);
    });

    @Test
    void aMeterIsMadeOnceForItsValuesHoweverOftenItIsAskedFor() {
        kept.of("a", "x").increment();
        kept.of("a", "x").increment();
        kept.of("b", "x").increment();

        assertThat(made).containsExactly(Tags.of("kind", "a", "again", "x"), Tags.of("kind", "b", "again", "x"));
        assertThat(registry.get("things").tag("kind", "a").counter().count()).isEqualTo(2);
    }

    @Test
    void aMeterWithoutLabelsIsOneToo() {
        Kept<Counter> plain = new Kept<>(List.of(), tags -> registry.counter("plain", tags));

        assertThat(plain.of()).isSameAs(plain.of());
    }
}
