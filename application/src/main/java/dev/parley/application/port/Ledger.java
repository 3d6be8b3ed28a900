package dev.parley.application.port;

import dev.parley.domain.change.Batch;
import dev.parley.domain.change.BatchId;
import dev.parley.domain.change.CommitResult;

/** The only way anything is written. Safe for concurrent use. */
public interface Ledger {
    /**
     * Applies a batch: all of it or nothing. Durable on return. All preconditions are checked before the first change, against
     * the state left by every batch committed before. A batch whose id was applied before is not applied again and answers
     * committed. Reads of this process see the batch once this returns. After an exception or a conflict the same id can be
     * committed again. A thread that is interrupted commits like any other or is told that the store is unavailable; it stays
     * interrupted, and no other thread notices.
     *
     * @throws InvalidRequest where a change is refused, as its Javadoc says; nothing of the batch is stored
     * @throws StorageUnavailable where the batch may or may not be stored; repeating it unchanged is safe
     * @throws StorageCorrupt where the store is damaged
     */
    CommitResult commit(Batch batch);

    /**
     * Returns what a ledger answers for a batch where applying its changes has thrown, so that only this batch is
     * refused: {@link InvalidRequest} for what would be thrown each time, {@link StorageUnavailable} where the process lacks
     * memory, and what is a {@code ParleyException} already as it is. What was thrown is told as {@link StrippedFailure} tells it.
     */
    static ParleyException refusal(BatchId batch, Throwable thrown) {
        if (thrown instanceof ParleyException known) {
            return known;
        }
        String why = StrippedFailure.told(thrown);
        Throwable cause = StrippedFailure.of(thrown);
        if (thrown instanceof VirtualMachineError && !(thrown instanceof StackOverflowError)) {
            return new StorageUnavailable(
                    "The batch " + batch.writer() + ":" + batch.sequence() + " was not stored: " + why + "; repeat it.",
                    cause);
        }
        return new InvalidRequest(
                "The batch " + batch.writer() + ":" + batch.sequence() + " cannot be stored: " + why, cause);
    }
}
