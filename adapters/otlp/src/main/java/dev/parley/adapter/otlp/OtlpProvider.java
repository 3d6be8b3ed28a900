package dev.parley.adapter.otlp;

import dev.parley.application.port.GatewayEvents;
import dev.parley.application.spi.Observer;
import dev.parley.application.spi.ObserverProvider;
import dev.parley.application.spi.ProviderSettings;
import java.util.Optional;
import java.util.Set;

/** Makes the observer {@code otlp}. */
public final class OtlpProvider implements ObserverProvider {
    static final String NAME = "otlp";

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public Set<String> settings() {
        return OtlpSettings.NAMES;
    }

    @Override
    public Optional<Observer> create(ProviderSettings settings, GatewayEvents failures) {
        return OtlpSettings.read(settings).map(otlp -> new OtlpObserver(otlp, settings, failures));
    }
}
