package dev.parley.application.spi;

import java.time.Instant;
import java.util.Optional;
import java.util.OptionalLong;

/** How a store is. */
public sealed interface Health {
    /** Everything can be read and written. */
    record Whole() implements Health {}

    /**
     * The store uses its fallback: new messages are kept there, and most of what was stored before cannot be read.
     *
     * @param since since when
     * @param why the latest reason why the store itself cannot be used, one line
     * @param damaged whether the store itself is damaged, so that it must pass its check before it is used again
     * @param waiting how many batches wait in the fallback to be merged back; empty where that cannot be told now
     * @param merged how many of them the merge under way has merged back; empty where none is under way
     * @param refusing why the fallback took nothing the last time it was tried, one line; absent while it takes what comes
     */
    record Degraded(
            Instant since,
            String why,
            boolean damaged,
            OptionalLong waiting,
            OptionalLong merged,
            Optional<String> refusing)
            implements Health {}

    /** Returns how the store uses its fallback; absent if it is whole. */
    default Optional<Degraded> degraded() {
        return this instanceof Degraded degraded ? Optional.of(degraded) : Optional.empty();
    }
}
