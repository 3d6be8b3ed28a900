package dev.parley.adapter.metrics;

import dev.parley.application.spi.ProviderSettings;
import dev.parley.application.spi.WebSurface;
import dev.parley.application.spi.WebSurfaceProvider;

/** Makes the surface {@code /metrics}. */
public final class MetricsProvider implements WebSurfaceProvider {
    /** Found as a service. */
    public MetricsProvider() {}

    @Override
    public String name() {
        return "metrics";
    }

    @Override
    public WebSurface create(ProviderSettings settings) {
        return new MetricsSurface(settings);
    }
}
