package dev.parley.application.port;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/**
 * How a gateway is. Immutable.
 *
 * @param state how it is in a word
 * @param facts what else an operator may want to know, by name and in order, such as {@code degraded_because} or {@code running}; times as
 *     UTC
 */
public record GatewayHealth(State state, Map<String, String> facts) {
    private static final String STATUS = "status";

    public GatewayHealth {
        facts = Collections.unmodifiableMap(new LinkedHashMap<>(facts));
    }

    /** How a gateway is in a word. */
    public enum State {
        /** Everything works. */
        OK,
        /** The storage cannot be used; messages are taken and kept beside it. */
        DEGRADED,
        /** What the process before left is being set right. */
        STARTING,
        /** Running turns end, and nothing begins. */
        DRAINING,
        /** Agents or plug-ins that block have all threads. */
        STARVED,
        /** Neither the storage nor its fallback takes a message, or other nodes may work on the lanes. */
        REFUSING;

        /** Returns the word, as health checks and pages show it. */
        public String word() {
            return name().toLowerCase(Locale.ROOT);
        }

        /** Returns whether messages are taken. */
        public boolean takesMessages() {
            return this == OK || this == DEGRADED;
        }
    }

    /** Returns a health of which nothing else is known. */
    public static GatewayHealth of(State state) {
        return new GatewayHealth(state, Map.of());
    }

    /** Returns all of it by name: the word as {@code status}, then the facts in order. */
    public Map<String, String> rows() {
        Map<String, String> rows = new LinkedHashMap<>();
        rows.put(STATUS, state.word());
        rows.putAll(facts);
        return rows;
    }
}
