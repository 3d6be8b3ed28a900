package dev.parley.application.degrade;

import dev.parley.application.port.Meta;
import dev.parley.domain.source.CursorName;
import java.util.Map;
import java.util.Optional;

/** Named values: while degraded those that were put meanwhile. */
final class DegradingMeta implements Meta {
    private final Reading reading;

    DegradingMeta(Reading reading) {
        this.reading = reading;
    }

    @Override
    public Optional<String> get(String key) {
        return reading.either(
                s -> s.meta().get(key),
                spill -> spill.stored().flatMap(s -> s.meta().get(key)));
    }

    @Override
    public Map<String, String> all() {
        return reading.whole("Named values", s -> s.meta().all());
    }

    @Override
    public Optional<String> cursor(CursorName name) {
        return reading.any(s -> s.meta().cursor(name));
    }

    @Override
    public Map<CursorName, String> cursors() {
        return reading.any(s -> s.meta().cursors());
    }
}
