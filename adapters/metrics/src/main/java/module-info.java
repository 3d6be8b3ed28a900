import org.jspecify.annotations.NullMarked;

/** What a gateway does, as metrics for Prometheus. */
@NullMarked
module dev.parley.adapter.metrics {
    requires transitive dev.parley.application;
    requires transitive micrometer.core;
    requires micrometer.registry.prometheus;
    requires static org.jspecify;

    exports dev.parley.adapter.metrics;

    provides dev.parley.application.spi.WebSurfaceProvider with
            dev.parley.adapter.metrics.MetricsProvider;
}
