package dev.parley.application.guard;

import dev.parley.application.port.GatewayMarkers;
import dev.parley.domain.key.SessionKey;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Markers whose failures are told and stop nothing: a disk without room for a count is no reason not to answer. What is lost is
 * that a loop of restarts may be seen later, or a clean stop be taken for a crash. Where they cannot say whether turns are held
 * back, they are.
 *
 * @param markers the markers
 * @param guard tells their failures
 */
public record GuardedMarkers(GatewayMarkers markers, Guard guard) implements GatewayMarkers {
    @Override
    public boolean takeCleanShutdown() {
        return read(markers::takeCleanShutdown, false);
    }

    @Override
    public void noteCleanShutdown() {
        write(markers::noteCleanShutdown);
    }

    @Override
    public Map<SessionKey, Integer> restartCounts() {
        return read(markers::restartCounts, Map.of());
    }

    @Override
    public void putRestartCounts(Map<SessionKey, Integer> counts) {
        write(() -> markers.putRestartCounts(counts));
    }

    @Override
    public List<Instant> resumeBoots() {
        return read(markers::resumeBoots, List.of());
    }

    @Override
    public void putResumeBoots(List<Instant> boots) {
        write(() -> markers.putResumeBoots(boots));
    }

    @Override
    public boolean isHeld() {
        return read(markers::isHeld, true);
    }

    @Override
    public boolean hold(boolean held) {
        // Whoever asks is to know that it failed.
        return Guard.unchecked("The gateway's markers", () -> markers.hold(held));
    }

    private <T> T read(Supplier<T> call, T otherwise) {
        return guard.get(Optional.empty(), "The gateway's markers could not be read.", call, otherwise);
    }

    private void write(Runnable call) {
        guard.run(Optional.empty(), "The gateway's markers could not be written.", call);
    }
}
