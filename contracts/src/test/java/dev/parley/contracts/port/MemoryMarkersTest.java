package dev.parley.contracts.port;

import dev.parley.application.port.GatewayMarkers;
import dev.parley.testing.MemoryMarkers;

class MemoryMarkersTest implements GatewayMarkersContract {
    private final MemoryMarkers markers = new MemoryMarkers();

    @Override
    public GatewayMarkers open() {
        return markers;
    }

    @Override
    public boolean damage() {
        return false;
    }
}
