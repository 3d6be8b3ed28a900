package dev.parley.adapter.kit.flow;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/** What an adapter remembers of what it has seen, for as long as there is room: kept in memory, so a restart forgets it. */
public final class Remembered {
    private Remembered() {}

    /** Returns an empty set that keeps the latest names that were put in, this many at most. Safe for concurrent use. */
    public static Set<String> latest(int most) {
        return Collections.synchronizedSet(Collections.newSetFromMap(Remembered.<Boolean>bounded(most)));
    }

    /** Returns an empty map that keeps what was put in for the latest names, this many at most. Safe for concurrent use. */
    public static <V> Map<String, V> byName(int most) {
        return Collections.synchronizedMap(Remembered.<V>bounded(most));
    }

    private static <V> Map<String, V> bounded(int most) {
        return new LinkedHashMap<>() {
            private static final long serialVersionUID = 1L;

            @Override
            protected boolean removeEldestEntry(Map.Entry<String, V> eldest) {
                return size() > most;
            }
        };
    }
}
