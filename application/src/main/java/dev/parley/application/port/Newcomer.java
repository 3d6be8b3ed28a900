package dev.parley.application.port;

import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What a gateway, or what else changes a store, says of itself when it begins a life in a store that others may use too.
 *
 * @param name what its operator calls it, for display
 * @param version the version of the program
 * @param place the machine and the home that it runs on, so that it is found; empty where nobody says
 * @param kind how it uses the store
 * @param agreed what must be the same for all that share the store, by name: whatever decides keys and sessions
 */
public record Newcomer(String name, String version, String place, Kind kind, SortedMap<String, String> agreed) {
    public Newcomer {
        agreed = Collections.unmodifiableSortedMap(new TreeMap<>(agreed));
    }

    /** Returns whether it wants the store to itself; it shares it otherwise. */
    public boolean isAlone() {
        return kind.isAlone();
    }

    /** How something uses a store. */
    public enum Kind {
        /** It is a gateway that shares the store with others. */
        NODE,
        /** It is a gateway that wants the store to itself. */
        ALONE,
        /** It is no gateway: it copies into the store, and wants it to itself until that is done. */
        COPY;

        /** Returns whether it wants the store to itself. */
        public boolean isAlone() {
            return this != NODE;
        }
    }
}
