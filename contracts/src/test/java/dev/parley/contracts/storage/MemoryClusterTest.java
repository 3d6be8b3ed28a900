package dev.parley.contracts.storage;

import dev.parley.application.spi.Storage;
import dev.parley.domain.key.SessionKey;
import dev.parley.domain.turn.LifeId;
import dev.parley.testing.memory.MemoryStorage;
import java.time.Instant;
import java.util.Optional;

/** The reference of how gateways share a store does what it is the reference for. */
class MemoryClusterTest implements ClusterContract, WakesContract {
    @Override
    public ClusterHarness cluster() {
        MemoryStorage storage = MemoryStorage.shared(() -> Instant.EPOCH);
        return new ClusterHarness() {
            @Override
            public Storage storage() {
                return storage;
            }

            @Override
            public void expire(LifeId life) {
                storage.expire(life);
            }

            @Override
            public Optional<Runnable> stuckIn(SessionKey lane) {
                return Optional.empty();
            }

            @Override
            public void close() {
                storage.close();
            }
        };
    }
}
