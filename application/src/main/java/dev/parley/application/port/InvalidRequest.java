package dev.parley.application.port;

import dev.parley.domain.change.BatchId;
import org.jspecify.annotations.Nullable;

/** The caller asked for something that cannot be: a wrong argument, a wrong setting. Next step: correct it (exit code 2). */
public final class InvalidRequest extends ParleyException {
    private static final long serialVersionUID = 1L;

    /** Says what is wrong, where, and what to do. */
    public InvalidRequest(String message) {
        this(message, null);
    }

    /** Says what is wrong, where, and what to do, and what showed it. */
    public InvalidRequest(String message, @Nullable Throwable cause) {
        super(message, cause);
    }

    /**
     * Returns what a {@link Ledger} answers for a batch where applying its changes has thrown, so that only this batch is
     * refused: {@link InvalidRequest} for what would be thrown each time, {@link StorageUnavailable} where the process lacks
     * memory, and what is a {@code ParleyException} already as it is. What was thrown is told as {@link StrippedFailure} tells it.
     */
    public static ParleyException ofBatch(BatchId batch, Throwable thrown) {
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
