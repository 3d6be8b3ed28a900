package dev.parley.application.gateway;

import dev.parley.application.port.GatewayEvent;
import dev.parley.application.port.GatewayEvents;
import dev.parley.application.port.GatewayMarkers;
import dev.parley.domain.key.SessionKey;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Markers whose failing writes are reported and stop nothing: a disk without room for a count is no reason not to answer. What
 * is lost is that a loop of restarts may be seen later, or a clean stop be taken for a crash.
 */
record ReportedMarkers(GatewayMarkers markers, GatewayEvents events) implements GatewayMarkers {
    @Override
    public boolean takeCleanShutdown() {
        return markers.takeCleanShutdown();
    }

    @Override
    public void noteCleanShutdown() {
        reporting(markers::noteCleanShutdown);
    }

    @Override
    public Map<SessionKey, Integer> restartCounts() {
        return markers.restartCounts();
    }

    @Override
    public void putRestartCounts(Map<SessionKey, Integer> counts) {
        reporting(() -> markers.putRestartCounts(counts));
    }

    @Override
    public List<Instant> resumeBoots() {
        return markers.resumeBoots();
    }

    @Override
    public void putResumeBoots(List<Instant> boots) {
        reporting(() -> markers.putResumeBoots(boots));
    }

    @Override
    public boolean isHeld() {
        return markers.isHeld();
    }

    private void reporting(Runnable write) {
        try {
            write.run();
        } catch (RuntimeException e) {
            events.on(new GatewayEvent.Trouble(
                    Optional.empty(), "The gateway's markers could not be written.", Optional.of(e)));
        }
    }
}
