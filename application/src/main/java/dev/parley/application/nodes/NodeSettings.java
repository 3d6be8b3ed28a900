package dev.parley.application.nodes;

import dev.parley.application.port.Newcomer;
import java.time.Duration;
import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * How a gateway is one of several that share a store.
 *
 * @param name what its operator calls it, for display; a life has a name of its own
 * @param version the version of the program
 * @param place the machine and the home that it runs on, so that it is found; empty where nobody says
 * @param agreed what must be the same for all nodes, by name: whatever decides keys and sessions
 * @param lease for how long nobody takes its lanes after it was last heard of, at least a second
 */
public record NodeSettings(
        String name, String version, String place, SortedMap<String, String> agreed, Duration lease) {
    /** The lease where none is set: takeover comes a little later. */
    public static final Duration LEASE = Duration.ofSeconds(5);

    public NodeSettings {
        agreed = Collections.unmodifiableSortedMap(new TreeMap<>(agreed));
        if (lease.compareTo(Duration.ofSeconds(1)) < 0) {
            throw new IllegalArgumentException("The lease of a node is at least a second, not " + lease);
        }
    }

    /** Settings of a node that need not agree with others on anything. */
    public static NodeSettings named(String name) {
        return new NodeSettings(name, "", "", new TreeMap<>(), LEASE);
    }

    /** Returns what the gateway says of itself when a life begins that uses the store so. */
    Newcomer self(Newcomer.Kind kind) {
        return new Newcomer(name, version, place, kind, agreed);
    }
}
