package dev.parley.application.degrade;

import dev.parley.application.port.StorageUnavailable;
import dev.parley.application.spi.Storage;
import java.util.function.Function;

/** How the composed storage reads: from the primary, or from the fallback while degraded. */
interface Reading {
    boolean isDegraded();

    /** Reads from what there is; a primary that refuses degrades, and the fallback is read. */
    <T> T any(Function<Storage, T> reading);

    /**
     * Reads what the fallback knows only a part of: from the primary or not at all.
     *
     * @throws StorageUnavailable while degraded, saying that {@code what} cannot be shown
     */
    <T> T whole(String what, Function<Storage, T> reading);
}
