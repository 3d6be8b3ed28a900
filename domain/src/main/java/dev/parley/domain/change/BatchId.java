package dev.parley.domain.change;

/**
 * Names a batch so that repeating it does nothing. A store keeps the last sequence of each writer in the transaction that
 * applies the batch; a batch with that sequence or a lower one was applied before.
 *
 * @param writer who writes: one name per process life, never used again
 * @param sequence rises by one with each batch of this writer, from 1
 */
public record BatchId(String writer, long sequence) {
    public BatchId {
        if (writer.isBlank() || sequence < 1) {
            throw new IllegalArgumentException(
                    "A batch needs a writer and a sequence from 1: \"" + writer + "\", " + sequence + ".");
        }
    }
}
