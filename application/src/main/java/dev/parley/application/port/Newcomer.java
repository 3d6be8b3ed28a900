package dev.parley.application.port;

import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What a gateway says of itself when it begins a life in a store that others may use too.
 *
 * @param name what its operator calls it, for display
 * @param version the version of the program
 * @param place the machine and the home that it runs on, so that it is found; empty where nobody says
 * @param isAlone whether it wants the store to itself; it shares it otherwise
 * @param agreed what must be the same for all that share the store, by name: whatever decides keys and sessions
 */
public record Newcomer(String name, String version, String place, boolean isAlone, SortedMap<String, String> agreed) {
    public Newcomer {
        agreed = Collections.unmodifiableSortedMap(new TreeMap<>(agreed));
    }
}
