package dev.parley.application.degrade;

import dev.parley.application.spi.Storage;
import java.util.function.Consumer;

/** How the primary storage is opened. */
public interface Primary {
    /**
     * Opens it at the start; creates it if it is missing.
     *
     * @throws dev.parley.application.port.StorageUnavailable where it cannot be used now
     * @throws dev.parley.application.port.StorageCorrupt where it is damaged
     */
    Storage open();

    /**
     * Opens it again after it failed; never makes a new one in the place of one that is gone.
     *
     * @param look looks at what stands there now, opened only to be read, before anything of it is changed; what it throws is
     *     thrown
     * @throws dev.parley.application.port.StorageUnavailable where it cannot be used now
     * @throws dev.parley.application.port.StorageCorrupt where it is damaged
     */
    Storage reopen(Consumer<Storage> look);
}
