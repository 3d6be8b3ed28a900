package dev.parley.domain.key;

import java.util.Set;

/** Knows under which other identifiers the same person or group appears. */
@FunctionalInterface
public interface AliasLookup {
    /** Knows no aliases. */
    AliasLookup NONE = identifier -> Set.of();

    /**
     * The identifiers that one normalised identifier is directly mapped to or from (K5.17), as they are stored: not
     * normalised, in any order, empty if there are none. Followed transitively by the caller. A mapping that cannot be
     * read counts as none; this method throws nothing for it. Called on every message, from any thread.
     */
    Set<String> aliasesOf(String identifier);
}
