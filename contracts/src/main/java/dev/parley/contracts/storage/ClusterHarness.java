package dev.parley.contracts.storage;

import dev.parley.application.spi.Storage;
import dev.parley.domain.key.SessionKey;
import dev.parley.domain.turn.LifeId;
import java.util.Optional;

/** How the kit handles a store that gateways share. */
public interface ClusterHarness extends AutoCloseable {
    /** Returns the store, open; the same each time. */
    Storage storage();

    /** Has the lease of a life run out now. */
    void expire(LifeId life);

    /**
     * Works on a lane in the store, as a process does that is stopped in the middle of a commit.
     *
     * @return ends it; absent where nobody can stand in the way of others
     */
    Optional<Runnable> stuckIn(SessionKey lane);

    @Override
    void close();
}
