package dev.parley.spring;

import dev.parley.application.port.GatewayEvent;
import dev.parley.application.port.GatewayEvents;

/** Tells what the storage says to the log until the gateway's listeners are together, since those may need the storage themselves. */
final class StorageNews implements GatewayEvents {
    private volatile GatewayEvents told = new EventLog();

    /** Tells these from now on. */
    void tell(GatewayEvents listeners) {
        told = listeners;
    }

    @Override
    public void on(GatewayEvent event) {
        told.on(event);
    }
}
