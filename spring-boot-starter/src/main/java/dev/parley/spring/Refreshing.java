package dev.parley.spring;

import dev.parley.adapter.metrics.GatewayMetrics;
import dev.parley.home.GatewayHome;
import java.time.Duration;

/** Reads what gauges show every fifteen seconds, beside whatever scrapes them. */
record Refreshing(GatewayMetrics metrics, GatewayHome home) {
    private static final Duration EVERY = Duration.ofSeconds(15);

    void begin() {
        home.threads().after(EVERY, this::refresh);
    }

    private void refresh() {
        home.threads().agents().execute(metrics::refresh);
        begin();
    }
}
