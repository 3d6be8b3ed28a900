package dev.parley.application.port;

import dev.parley.domain.change.Change;
import java.util.List;
import java.util.function.Consumer;

/**
 * What is remembered of a storage beside it, so that a start that cannot read the storage still knows what was received and where
 * its lanes stood. Bounded: what is oldest is forgotten first. Never the truth, and never asked while the storage can be read.
 * Safe for concurrent use.
 */
public interface KnowledgeLog extends AutoCloseable {
    /**
     * Notes changes that were committed, after what was noted before. Outlives the death of the process on return, but not
     * necessarily that of the machine.
     *
     * @throws StorageUnavailable where they cannot be noted; what was noted before stays
     */
    void note(List<Change> changes);

    /**
     * Hands over what is remembered, oldest first; what cannot be read back is left out.
     *
     * @throws StorageUnavailable where nothing can be read
     */
    void recall(Consumer<Change> each);

    /** Lets go of it; does nothing the second time. */
    @Override
    void close();
}
