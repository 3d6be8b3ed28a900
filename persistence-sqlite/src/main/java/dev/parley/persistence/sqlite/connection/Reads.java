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

    /**
     * Runs work that is one statement on one table and may be repeated. A statement sees one state of the store by itself, so this
     * costs less than {@link #read}.
     *
     * @param table the name of the only table that is read
     * @throws StorageUnavailable where the store cannot be read
     * @throws StorageCorrupt where it is damaged
     */
    default <T> T readOne(String table, ReadWork<T> work) {
        return read(work);
    }
}
