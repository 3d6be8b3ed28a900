package dev.parley.application.degrade;

import dev.parley.application.spi.Storage;

/** How the primary storage is opened. */
public interface Primary {
    /**
     * Opens it at the start; makes it where there is none.
     *
     * @throws dev.parley.application.port.StorageUnavailable where it cannot be used now
     * @throws dev.parley.application.port.StorageCorrupt where it is damaged
     */
    Storage open();

    /**
     * Opens it again after it failed; never makes a new one in the place of one that is gone.
     *
     * @throws dev.parley.application.port.StorageUnavailable where it cannot be used now
     * @throws dev.parley.application.port.StorageCorrupt where it is damaged
     */
    Storage reopen();
}
