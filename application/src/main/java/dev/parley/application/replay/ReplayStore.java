package dev.parley.application.replay;

import dev.parley.application.degrade.Fallback;
import dev.parley.application.spi.Storage;
import java.util.Optional;
import java.util.function.Consumer;

/** Where the gateways of a replay keep everything: one store, opened by each of them in turn. */
public interface ReplayStore {
    /**
     * Opens the store for a gateway that starts.
     *
     * @throws dev.parley.application.port.StorageUnavailable where it cannot be opened now
     * @throws dev.parley.application.port.StorageCorrupt where it is damaged
     */
    Storage open();

    /**
     * Opens the store again after it failed; never makes a new one in the place of one that is gone.
     *
     * @param look looks at what stands there, opened only to be read, before anything of it is changed
     * @throws dev.parley.application.port.StorageUnavailable where it cannot be opened now
     * @throws dev.parley.application.port.StorageCorrupt where it is damaged
     */
    Storage reopen(Consumer<Storage> look);

    /** Returns the fallback that a gateway uses while the store is unavailable; absent if it has none. */
    Optional<Fallback> fallback();

    /** Lets go of everything a gateway that has died stored in, and leaves it as the death of a process would. */
    void die(Storage storage);
}
