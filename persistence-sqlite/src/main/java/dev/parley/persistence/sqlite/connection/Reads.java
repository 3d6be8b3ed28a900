package dev.parley.persistence.sqlite.connection;

import dev.parley.application.port.StorageCorrupt;
import dev.parley.application.port.StorageUnavailable;

/** Gives connections to whoever reads. Safe for concurrent use; a reader may read again while it reads. */
public interface Reads {
    /**
     * Runs the work on one consistent state of the store: the last commit before it began, whatever is committed meanwhile.
     *
     * @throws StorageUnavailable where the store cannot be read
     * @throws StorageCorrupt where it is damaged
     */
    <T> T read(ReadWork<T> work);
}
