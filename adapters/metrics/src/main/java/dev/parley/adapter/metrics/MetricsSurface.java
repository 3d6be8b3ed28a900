package dev.parley.adapter.metrics;

import dev.parley.application.port.GatewayEvent;
import dev.parley.application.spi.ProviderSettings;
import dev.parley.application.spi.WebRequest;
import dev.parley.application.spi.WebResponse;
import dev.parley.application.spi.WebRole;
import dev.parley.application.spi.WebSurface;
import io.micrometer.core.instrument.binder.jvm.ClassLoaderMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmThreadMetrics;
import io.micrometer.core.instrument.binder.system.UptimeMetrics;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.util.Locale;

/**
 * {@code /metrics}: what the gateway did since it started and how it stands, as text for Prometheus. Every label is a word from a
 * list that ends; no text, lane, session or user is in it. A scrape never fails because a storage does.
 */
final class MetricsSurface implements WebSurface {
    private static final String PATH = "/metrics";
    private static final String PLAIN = "text/plain; version=0.0.4; charset=utf-8";
    private static final String OPEN_METRICS = "application/openmetrics-text; version=1.0.0; charset=utf-8";

    private final PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    private final GatewayMeters meters;
    private final RequestMeters requests;

    MetricsSurface(ProviderSettings settings) {
        this.meters = new GatewayMeters(registry, settings);
        this.requests = new RequestMeters(registry);
        new JvmMemoryMetrics().bindTo(registry);
        new JvmThreadMetrics().bindTo(registry);
        new ClassLoaderMetrics().bindTo(registry);
        new UptimeMetrics().bindTo(registry);
    }

    @Override
    public String path() {
        return PATH;
    }

    @Override
    public WebRole needed(String method, String path) {
        return WebRole.READER;
    }

    @Override
    public WebResponse answer(WebRequest request) {
        if (!request.path().equals(PATH)) {
            return WebResponse.text(404, "text/plain", "There is only " + PATH + " here.");
        }
        if (!request.method().equals("GET")) {
            return WebResponse.text(405, "text/plain", "Metrics are asked for with GET.");
        }
        meters.refresh();
        boolean open = request.header("accept")
                .filter(accept -> accept.toLowerCase(Locale.ROOT).contains("application/openmetrics-text"))
                .isPresent();
        String type = open ? OPEN_METRICS : PLAIN;
        return WebResponse.text(200, type, registry.scrape(type));
    }

    @Override
    public void served(Served request) {
        requests.served(request);
    }

    @Override
    public boolean neverBlocks() {
        return true;
    }

    @Override
    public void on(GatewayEvent event) {
        meters.on(event);
    }
}
