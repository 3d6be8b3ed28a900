package dev.parley.application.spi;

import dev.parley.application.port.GatewayEvents;

/**
 * Passes what the gateway does on to something outside, such as a collector of traces. The gateway never waits for it: what cannot
 * be passed on in time is lost and counted.
 */
public interface Observer extends GatewayEvents, AutoCloseable {
    /**
     * Opens what it needs; called once, before the gateway starts.
     *
     * @throws dev.parley.application.port.InvalidRequest where that cannot be opened
     */
    void start();

    /** Passes on what it still holds, for two seconds at most, and ends; called once the gateway has told everything. */
    @Override
    void close();
}
