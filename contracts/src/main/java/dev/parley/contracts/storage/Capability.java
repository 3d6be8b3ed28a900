package dev.parley.contracts.storage;

/** In what backends may differ. Every backend has every one unless it says otherwise; both sides are tested. */
public enum Capability {
    /** What is committed outlives the process; otherwise the harness names no process that could be killed. */
    DURABLE,
    /**
     * The store may be open for writing several times at once, by several processes where it is durable; otherwise the second
     * opening is refused.
     */
    SHARED,
    /**
     * The store may be opened for reading while it is open for writing, by another process where it is durable; otherwise that opening
     * is refused.
     */
    READ_BESIDE_WRITER,
    /** Messages are found by their text; otherwise each search is refused. */
    SEARCH,
    /** Sessions have titles; otherwise a change that gives one is refused. */
    TITLES,
    /** Without an order, search puts the best match first; otherwise the newest. */
    RANKED_SEARCH,
    /** The backend offers a journal for use as a fallback; otherwise it offers none. */
    JOURNAL
}
