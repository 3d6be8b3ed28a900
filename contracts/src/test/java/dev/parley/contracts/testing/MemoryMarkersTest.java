package dev.parley.contracts.testing;

import dev.parley.application.port.GatewayMarkers;
import dev.parley.contracts.port.GatewayMarkersContract;

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
