import org.jspecify.annotations.NullMarked;

/** What a gateway does, as metrics for Prometheus. */
@NullMarked
module dev.parley.adapter.metrics {
    requires dev.parley.application;
    requires micrometer.core;
    requires micrometer.registry.prometheus;
    requires static org.jspecify;

    provides dev.parley.application.spi.WebSurfaceProvider with
            dev.parley.adapter.metrics.MetricsProvider;
}
