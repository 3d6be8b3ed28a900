package dev.parley.adapter.metrics;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Words from outside, such as names of models, as values of a label: the first fifty there are, and {@code other} for all that come
 * behind, so that whoever makes up names cannot fill the memory of those who scrape. Safe for concurrent use.
 */
final class BoundedWord {
    static final String OTHER = "other";
    static final String NONE = "none";

    private static final int MOST = 50;
    private static final int LONGEST = 80;

    private final Set<String> known = ConcurrentHashMap.newKeySet();

    /** Returns the word to show; {@code none} for an empty one. */
    String shown(String word) {
        if (word.isBlank()) {
            return NONE;
        }
        String shown = word.length() > LONGEST ? word.substring(0, LONGEST) : word;
        if (known.contains(shown)) {
            return shown;
        }
        synchronized (this) {
            return known.size() < MOST && known.add(shown) ? shown : OTHER;
        }
    }
}
