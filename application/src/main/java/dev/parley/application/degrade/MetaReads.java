package dev.parley.application.degrade;

import dev.parley.application.port.Meta;
import java.util.Map;
import java.util.Optional;

/** Named values. */
final class MetaReads implements Meta {
    private final Reading reading;

    MetaReads(Reading reading) {
        this.reading = reading;
    }

    @Override
    public Optional<String> get(String key) {
        return reading.any(s -> s.meta().get(key));
    }

    @Override
    public Map<String, String> all() {
        return reading.whole("Named values", s -> s.meta().all());
    }
}
