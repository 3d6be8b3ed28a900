package dev.parley.persistence.sqlite.schema;

import java.util.Optional;

/** Told what reads and writes find out about the search index. Safe for concurrent use. */
public interface IndexWatch {
    /** Trusts the structure of the file alone, and tells nobody. */
    IndexWatch NONE = new IndexWatch() {};

    /** Returns whether the index may be asked where its structure is whole. */
    default boolean isTrusted() {
        return true;
    }

    /**
     * Returns what whoever searches should know, in one line: that every message is read, and for how long. Absent where the index
     * answers, as far as this process knows.
     */
    default Optional<String> note() {
        return Optional.empty();
    }

    /** Told that a read failed on the index, in this way, and succeeded without it. */
    default void foundDamaged(Throwable failure) {}

    /** Told that the index is sound but does not have every message, so searches read the messages. */
    default void foundIncomplete() {}

    /** Told that a write failed on the index and succeeded without it; that is durable, and its triggers are gone. */
    default void wasSetAside() {}

    /** Told that messages were deleted whose texts the index still has, and that this is durable. */
    default void textsWereLeft() {}
}
