package dev.parley.persistence.postgres;

import dev.parley.contracts.storage.Capability;
import dev.parley.contracts.storage.StorageContract;
import dev.parley.contracts.storage.StorageHarness;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.Set;

/** The store in PostgreSQL does what every store must. */
class PostgresStorageTest implements StorageContract {
    @Override
    public StorageHarness harness(Path directory) {
        return PostgresHarness.empty(directory);
    }

    @Override
    public Set<Capability> capabilities() {
        return EnumSet.complementOf(EnumSet.of(Capability.JOURNAL));
    }
}
