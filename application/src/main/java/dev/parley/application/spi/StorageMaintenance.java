package dev.parley.application.spi;

import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;

/** The maintenance of a store: its health and state, checks and repairs. */
public interface StorageMaintenance {
    /**
     * Returns how the store is now. Reads nothing from the store, so it is cheap and throws nothing, also where the store cannot
     * be used or is closed. A store without a fallback is always whole: what it cannot do it says by throwing.
     */
    default Health health() {
        return new Health.Whole();
    }

    /**
     * Runs a task once, at the next moment the store is whole: at once, by the caller, where it is whole now; else when it was
     * healed, by the thread that healed it, after that was told. A store that is closed before runs it never. What the task throws
     * is reported and stops nothing.
     */
    default void whenWhole(Runnable task) {
        task.run();
    }

    /**
     * Returns whether the store was last laid out by a later version of a program that shares it, in which the name of a compressed
     * session resumes the end of its chain (storage 3.7).
     */
    default boolean resumesAtTip() {
        return false;
    }

    /** Returns what there is to say about the store, by name and in order: format version, sizes, counts, mode. */
    Map<String, String> status();

    /**
     * Returns what may lose or damage what was acknowledged although the store is whole, such as a setting of the server that holds it,
     * one line each; empty where nothing does, or the store cannot tell.
     */
    default List<String> risks() {
        return List.of();
    }

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

    /** How a store lays out what it holds beside the messages, such as its search index. The content is the same in each. */
    enum Arrangement {
        /** As small as can be. */
        COMPACT,
        /** As other software that uses the store expects it to the letter. */
        SHARED
    }

    /**
     * Lays the store out in another way, in steps between which others read and write. After an interruption the same call continues.
     *
     * @param progress told done and total steps
     * @return what was done, one line each; empty where the store is laid out so already, or knows only one way
     */
    default List<String> arrange(Arrangement arrangement, BiConsumer<Long, Long> progress) {
        return List.of();
    }

    /**
     * Takes away what deleted sessions have left behind where no read sees it, such as their texts in a search index, in steps between
     * which others read and write. Each step is durable; after an interruption the same call continues, and so does a store by itself
     * once it is opened to be written. Does nothing where nothing is left behind, as in a store that deletes any session at once
     * without holding others up.
     *
     * @param progress told done and total messages after each step
     * @throws dev.parley.application.port.StorageUnavailable where the store cannot be written
     */
    default void finishDeletions(BiConsumer<Long, Long> progress) {}

    /** Gives back unused space; returns the bytes given back. */
    long compact();
}
