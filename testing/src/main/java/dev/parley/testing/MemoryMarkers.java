package dev.parley.testing;

import dev.parley.application.port.GatewayMarkers;
import dev.parley.application.port.StorageUnavailable;
import dev.parley.domain.key.SessionKey;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/** Markers that live as long as this object, so that one gateway after the other can use them. Safe for concurrent use. */
public final class MemoryMarkers implements GatewayMarkers {
    private boolean clean;
    private Map<SessionKey, Integer> counts = Map.of();
    private List<Instant> boots = List.of();
    private boolean held;
    private boolean full;

    /** Nothing is noted. */
    public MemoryMarkers() {}

    @Override
    public synchronized boolean takeCleanShutdown() {
        boolean was = clean;
        clean = false;
        return was;
    }

    @Override
    public synchronized void noteCleanShutdown() {
        needsRoom();
        clean = true;
    }

    @Override
    public synchronized Map<SessionKey, Integer> restartCounts() {
        return counts;
    }

    @Override
    public synchronized void putRestartCounts(Map<SessionKey, Integer> next) {
        needsRoom();
        counts = Map.copyOf(next);
    }

    @Override
    public synchronized List<Instant> resumeBoots() {
        return boots;
    }

    @Override
    public synchronized void putResumeBoots(List<Instant> next) {
        needsRoom();
        boots = List.copyOf(next);
    }

    @Override
    public synchronized boolean isHeld() {
        return held;
    }

    @Override
    public synchronized boolean hold(boolean value) {
        needsRoom();
        held = value;
        return true;
    }

    /** Nothing can be noted from now on, or again. */
    public synchronized void full(boolean value) {
        full = value;
    }

    private void needsRoom() {
        if (full) {
            throw new StorageUnavailable("The markers cannot be written: they were told to be full.", null);
        }
    }
}
