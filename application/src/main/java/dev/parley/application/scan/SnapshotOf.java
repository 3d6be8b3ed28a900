package dev.parley.application.scan;

import dev.parley.application.port.StorageCorrupt;
import dev.parley.application.port.StorageUnavailable;
import java.util.function.Function;

/**
 * Shows rows of a store as they are at one moment.
 *
 * @param <R> which rows: {@link StoredRows}, {@link StoredLanes} or {@link StoredQueue}
 */
@FunctionalInterface
public interface SnapshotOf<R> {
    /**
     * Looks at the rows while no batch is applied, and returns what was seen. The rows are good during the call only.
     *
     * @throws StorageUnavailable where the store is closed or cannot be read
     * @throws StorageCorrupt where the store is damaged
     */
    <T> T read(Function<? super R, T> look);
}
