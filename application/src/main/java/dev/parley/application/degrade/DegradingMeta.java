package dev.parley.application.degrade;

import dev.parley.application.port.Meta;
import dev.parley.domain.source.CursorName;
import java.util.Map;
import java.util.Optional;

/** Named values: while degraded those that were put meanwhile. Cursors are all known. */
final class DegradingMeta implements Meta {
    private final Reading reading;
    private final Knowledge knowledge;

    DegradingMeta(Reading reading, Knowledge knowledge) {
        this.reading = reading;
        this.knowledge = knowledge;
    }

    @Override
    public Optional<String> get(String key) {
        return reading.either(
                s -> s.meta().get(key),
                spill -> spill.stored().flatMap(s -> s.meta().get(key)));
    }

    @Override
    public Map<String, String> all() {
        return reading.whole(
                "What the gateway has noted for itself", s -> s.meta().all());
    }

    @Override
    public Optional<String> cursor(CursorName name) {
        return reading.either(
                s -> s.meta().cursor(name),
                spill -> Optional.ofNullable(knowledge.cursors().get(name)));
    }

    @Override
    public Map<CursorName, String> cursors() {
        return reading.either(s -> s.meta().cursors(), spill -> knowledge.cursors());
    }
}
