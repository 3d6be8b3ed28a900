package dev.parley.application.degrade;

import dev.parley.application.port.Journal;
import dev.parley.application.port.KnowledgeLog;
import dev.parley.application.spi.Storage;
import dev.parley.domain.session.Lane;
import java.util.List;
import java.util.Optional;

/** The storage that a gateway uses while its primary storage is unavailable. */
public interface Fallback {
    /**
     * Opens the journal: the durable record of what was committed meanwhile, and all that counts of the fallback.
     *
     * @throws dev.parley.application.port.StorageUnavailable where the fallback cannot be used either
     */
    Journal openJournal();

    /**
     * Opens an empty store that the journal is applied to, for reads and preconditions; what it held before is gone.
     *
     * @throws dev.parley.application.port.StorageUnavailable where the fallback cannot be used either
     */
    Storage openOverlay();

    /**
     * Opens what is remembered of the primary beside it; absent where the fallback keeps no such thing.
     *
     * @throws dev.parley.application.port.StorageUnavailable where it cannot be opened now
     */
    default Optional<KnowledgeLog> openKnowledgeLog() {
        return Optional.empty();
    }

    /**
     * Returns the lanes as they were last mirrored beside a primary that cannot be read, or that failed before all its lanes were learnt;
     * absent where there is no such mirror, or it cannot be read. A lane whose epoch the mirror does not tell has the epoch {@link Lane#ABSENT}.
     */
    default Optional<List<Lane>> knownLanes() {
        return Optional.empty();
    }
}
