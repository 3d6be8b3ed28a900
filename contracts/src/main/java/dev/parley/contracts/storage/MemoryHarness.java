package dev.parley.contracts.storage;

import dev.parley.application.port.Journal;
import dev.parley.application.spi.Storage;
import dev.parley.application.spi.StorageSettings;
import dev.parley.testing.memory.MemoryStore;
import java.util.List;
import java.util.Optional;

/** Handles the reference store. A process cannot be taken away from it, so a crash leaves everything committed in place. */
public final class MemoryHarness implements StorageHarness {
    private final MemoryStore store;

    /** Handles an empty store that is called so. */
    public MemoryHarness(String name) {
        this.store = new MemoryStore(name);
    }

    @Override
    public String backend() {
        return "memory";
    }

    @Override
    public Storage open(StorageSettings.Mode mode) {
        return store.open(mode);
    }

    @Override
    public void crash() {
        // What was open keeps the data that the next opening finds.
    }

    @Override
    public Optional<Journal> openJournal() {
        return Optional.of(store.openJournal());
    }

    @Override
    public List<String> damage() {
        return List.of();
    }

    @Override
    public Optional<Elsewhere> elsewhere() {
        return Optional.empty();
    }

    @Override
    public List<Fault> faults() {
        return List.of();
    }

    @Override
    public void close() {
        // Nothing is held.
    }
}
