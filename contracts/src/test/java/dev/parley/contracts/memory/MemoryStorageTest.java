package dev.parley.contracts.memory;

import dev.parley.contracts.storage.Capability;
import dev.parley.contracts.storage.StorageContract;
import dev.parley.contracts.storage.StorageHarness;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.Set;

/** The reference store does what it is the reference for. */
class MemoryStorageTest implements StorageContract {
    @Override
    public StorageHarness harness(Path directory) {
        return new MemoryHarness(directory.toString());
    }

    @Override
    public Set<Capability> capabilities() {
        return EnumSet.complementOf(EnumSet.of(Capability.DURABLE));
    }
}
