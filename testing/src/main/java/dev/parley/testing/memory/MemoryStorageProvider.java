package dev.parley.testing.memory;

import dev.parley.application.port.Journal;
import dev.parley.application.port.StorageUnavailable;
import dev.parley.application.spi.Storage;
import dev.parley.application.spi.StorageProvider;
import dev.parley.application.spi.StorageSettings;
import dev.parley.domain.change.Change;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Opens reference stores. Stores opened with one address share their data as long as the process lives, so what one has
 * stored another finds, also after it was closed or dropped.
 */
public final class MemoryStorageProvider implements StorageProvider {
    private static final Map<String, MemoryStore> STORES = new ConcurrentHashMap<>();

    /** Needed to be found as a service. */
    public MemoryStorageProvider() {}

    @Override
    public String scheme() {
        return "memory";
    }

    @Override
    public int changeVersion() {
        return Change.VERSION;
    }

    @Override
    public Set<String> options() {
        return Set.of();
    }

    @Override
    public Storage open(StorageSettings settings) {
        if (settings.mode() == StorageSettings.Mode.READ_ONLY && !STORES.containsKey(settings.address())) {
            throw new StorageUnavailable(
                    "There is no store memory:" + settings.address() + " in this process; open it for writing first.",
                    null);
        }
        return store(settings).open(settings.mode());
    }

    @Override
    public Optional<Journal> openJournal(StorageSettings settings) {
        return Optional.of(store(settings).openJournal());
    }

    /** Forgets the store with this address. */
    public static void forget(String address) {
        STORES.remove(address);
    }

    private static MemoryStore store(StorageSettings settings) {
        return STORES.computeIfAbsent(settings.address(), MemoryStore::new);
    }
}
