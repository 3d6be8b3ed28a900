package dev.parley.adapter.metrics;

import dev.parley.application.port.GatewayEvent;
import dev.parley.application.port.GatewayEvents;
import dev.parley.application.spi.ProviderSettings;
import io.micrometer.core.instrument.MeterRegistry;

/**
 * The metrics of {@code /metrics} in a registry of an application's own, for gateways that are embedded: give it to the gateway's builder as a
 * listener. Safe for concurrent use.
 */
public final class GatewayMetrics implements GatewayEvents {
    private final GatewayMeters meters;

    /**
     * Registers the meters.
     *
     * @param settings of which the clock, the home and the look into the gateway are used
     */
    public GatewayMetrics(MeterRegistry registry, ProviderSettings settings) {
        this.meters = new GatewayMeters(registry, settings);
    }

    /** Reads what the gauges show until the next call: lanes, queues, platforms, the disk. Reads the storage. */
    public void refresh() {
        meters.refresh();
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
