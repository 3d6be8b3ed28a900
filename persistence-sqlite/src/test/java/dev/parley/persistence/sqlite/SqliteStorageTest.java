package dev.parley.persistence.sqlite;

import dev.parley.contracts.storage.Capability;
import dev.parley.contracts.storage.ProviderHarness;
import dev.parley.contracts.storage.StorageContract;
import dev.parley.contracts.storage.StorageHarness;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.Set;

/** The store in SQLite does what every store must. */
class SqliteStorageTest implements StorageContract {
    @Override
    public StorageHarness harness(Path directory) {
        return new ProviderHarness(new SqliteStorageProvider(), "state.db", directory);
    }

    @Override
    public Set<Capability> capabilities() {
        return EnumSet.complementOf(EnumSet.of(Capability.JOURNAL));
    }
}
