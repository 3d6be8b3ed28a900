package dev.parley.testing.memory;

import dev.parley.application.port.Journal;
import dev.parley.application.spi.Storage;
import dev.parley.application.spi.StorageSettings;

/**
 * The data of one store in memory. What is opened on it shares it, as processes share a file: a gateway that is started again finds what
 * the one before has stored. Safe for concurrent use.
 */
public final class MemoryStore {
    private final String location;
    private final MemoryData data = new MemoryData();

    /** Nothing is stored; {@code name} is what messages call the store. */
    public MemoryStore(String name) {
        this.location = "memory:" + name;
    }

    /** Opens the data, beside whatever else has it open; a {@code READ_ONLY} opening refuses every batch. */
    public Storage open(StorageSettings.Mode mode) {
        return new MemoryStorage(data, location, mode == StorageSettings.Mode.READ_WRITE);
    }

    /** Opens the journal that stands beside the data. */
    public Journal openJournal() {
        return new MemoryJournal(data);
    }
}
