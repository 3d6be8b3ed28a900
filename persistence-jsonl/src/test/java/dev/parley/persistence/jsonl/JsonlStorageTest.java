package dev.parley.persistence.jsonl;

import dev.parley.contracts.storage.Capability;
import dev.parley.contracts.storage.StorageContract;
import dev.parley.contracts.storage.StorageHarness;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.Set;

/** A directory of session files keeps every contract of a store. */
class JsonlStorageTest implements StorageContract {
    @Override
    public StorageHarness harness(Path directory) {
        return new JsonlHarness(directory);
    }

    @Override
    public Set<Capability> capabilities() {
        return EnumSet.complementOf(EnumSet.of(Capability.SHARED));
    }
}
