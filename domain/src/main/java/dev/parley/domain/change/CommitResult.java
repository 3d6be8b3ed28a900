package dev.parley.domain.change;

/** What became of a batch. */
public sealed interface CommitResult {
    /** The batch is stored; also where it had been stored before. */
    record Committed() implements CommitResult {}

    /**
     * The batch is not stored, and nothing of it is.
     *
     * @param failed the first precondition that did not hold
     */
    record Conflict(Precondition failed) implements CommitResult {}

    /** Returns true where the batch is stored. */
    default boolean isCommitted() {
        return this instanceof Committed;
    }
}
