package dev.parley.application.recovery;

import dev.parley.application.port.GatewayMarkers;
import dev.parley.domain.key.SessionKey;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** How many restarts in a row cut off each lane's turn (P7.9 to P7.15). Used by one task at a time. */
public final class RestartCounts {
    private final GatewayMarkers markers;
    private final Map<SessionKey, Integer> counts;

    private RestartCounts(GatewayMarkers markers, Map<SessionKey, Integer> counts) {
        this.markers = markers;
        this.counts = new TreeMap<>(counts);
    }

    /** Reads what is noted; nothing where it cannot be read (P7.12). */
    public static RestartCounts read(GatewayMarkers markers) {
        return new RestartCounts(markers, markers.restartCounts());
    }

    /** Counts one more restart for lanes that a crash cut off. */
    public void cutOff(Collection<SessionKey> lanes) {
        if (!lanes.isEmpty()) {
            lanes.forEach(lane -> counts.merge(lane, 1, Integer::sum));
            write();
        }
    }

    /** Returns the lanes that reached the threshold, by key. */
    public List<SessionKey> stuck(int threshold) {
        return counts.entrySet().stream()
                .filter(e -> e.getValue() >= threshold)
                .map(Map.Entry::getKey)
                .toList();
    }

    /** Returns the lane's count. */
    public int of(SessionKey lane) {
        return counts.getOrDefault(lane, 0);
    }

    /** Forgets lanes that were suspended, and no others (D1). */
    public void forget(Collection<SessionKey> lanes) {
        if (counts.keySet().removeAll(lanes)) {
            write();
        }
    }

    /** A turn of the lane has succeeded: its loop is broken (P7.13). */
    public void succeeded(SessionKey lane) {
        if (counts.remove(lane) != null) {
            write();
        }
    }

    /** The gateway has stopped: one more for the lanes whose turn it cut off, and nothing for all others (P7.10, P7.11). */
    public void stopped(Collection<SessionKey> cutOff) {
        Map<SessionKey, Integer> next = new LinkedHashMap<>();
        cutOff.forEach(lane -> next.put(lane, of(lane) + 1));
        counts.clear();
        counts.putAll(next);
        write();
    }

    private void write() {
        markers.putRestartCounts(counts);
    }
}
