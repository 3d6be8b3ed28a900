package dev.parley.application.replay;

import dev.parley.application.port.GatewayMarkers;
import dev.parley.domain.key.SessionKey;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/** The markers of others, with a hold that a scenario makes and takes away. Used by one thread. */
final class HeldMarkers implements GatewayMarkers {
    private final GatewayMarkers markers;
    private boolean held;

    HeldMarkers(GatewayMarkers markers) {
        this.markers = markers;
    }

    /** Holds new turns back, or no more. */
    void set(boolean hold) {
        held = hold;
    }

    @Override
    public boolean isHeld() {
        return held || markers.isHeld();
    }

    @Override
    public boolean hold(boolean hold) {
        return markers.hold(hold);
    }

    @Override
    public boolean takeCleanShutdown() {
        return markers.takeCleanShutdown();
    }

    @Override
    public void noteCleanShutdown() {
        markers.noteCleanShutdown();
    }

    @Override
    public Map<SessionKey, Integer> restartCounts() {
        return markers.restartCounts();
    }

    @Override
    public void putRestartCounts(Map<SessionKey, Integer> counts) {
        markers.putRestartCounts(counts);
    }

    @Override
    public List<Instant> resumeBoots() {
        return markers.resumeBoots();
    }

    @Override
    public void putResumeBoots(List<Instant> boots) {
        markers.putResumeBoots(boots);
    }
}
