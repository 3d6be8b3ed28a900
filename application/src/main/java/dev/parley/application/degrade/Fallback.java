package dev.parley.application.degrade;

import dev.parley.application.port.Journal;
import dev.parley.application.spi.Storage;
import dev.parley.domain.session.Lane;
import java.util.List;

/** What a gateway goes on with while its primary storage cannot be used. */
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
     * Returns the lanes as they were last mirrored beside a primary that cannot be opened; empty where there is no such mirror.
     * Only their sessions count, not their epochs.
     */
    default List<Lane> lastKnownLanes() {
        return List.of();
    }
}
