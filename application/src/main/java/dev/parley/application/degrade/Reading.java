package dev.parley.application.degrade;

import dev.parley.application.port.StorageUnavailable;
import dev.parley.application.spi.Storage;
import java.util.function.Function;

/** How a degrading storage reads: from the primary, or while degraded from the spill and what is known of the primary. */
interface Reading {
    /**
     * Reads from the primary; where that refuses, storage degrades and the other way is taken. Both run while nothing is changed
     * over, so they are quick and call nobody outside.
     */
    <T> T either(Function<Storage, T> primary, Function<Spill, T> degraded);

    /**
     * Reads what the fallback knows only a part of: from the primary or not at all.
     *
     * @throws StorageUnavailable while degraded, saying that {@code what} cannot be shown
     */
    <T> T whole(String what, Function<Storage, T> reading);

    /**
     * Returns the primary, for what takes long or calls others, such as handing out many rows or a check. Nothing waits for its use, so that
     * whoever is called may read and commit meanwhile. What is thrown in it is its caller's; a primary that is left meanwhile throws.
     *
     * @throws StorageUnavailable while degraded, saying that {@code what} cannot be shown
     */
    Storage unlocked(String what);
}
