package dev.parley.contracts.storage;

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
