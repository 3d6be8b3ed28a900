package dev.parley.application.spi;

import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;

/** The care of a store. */
public interface StorageCare {
    /** Returns what there is to say about the store, by name and in order: format version, sizes, counts, mode. */
    Map<String, String> status();

    /**
     * Checks the whole store and changes nothing.
     *
     * @param progress told done and total steps
     * @return what is wrong, one line each with what to do; empty where nothing is
     */
    List<String> check(BiConsumer<Long, Long> progress);

    /**
     * Repairs what can be repaired without losing anything, such as an index, and brings the format up to date.
     *
     * @param progress told done and total steps
     * @return what was done, one line each; empty where nothing was to be done
     */
    List<String> repair(BiConsumer<Long, Long> progress);

    /** Gives back unused space; returns the bytes given back. */
    long compact();
}
