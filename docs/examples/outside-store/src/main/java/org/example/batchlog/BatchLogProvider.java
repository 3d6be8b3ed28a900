package org.example.batchlog;

import dev.parley.application.spi.Storage;
import dev.parley.application.spi.StorageProvider;
import dev.parley.application.spi.StorageSettings;
import dev.parley.domain.change.Change;
import java.util.Set;

/** Opens batch logs: {@code storage.url: batchlog:FILE}. */
public final class BatchLogProvider implements StorageProvider {
    /** Needed to be found as a service. */
    public BatchLogProvider() {}

    @Override
    public String scheme() {
        return "batchlog";
    }

    @Override
    public int changeVersion() {
        return Change.VERSION;
    }

    @Override
    public Set<String> options() {
        return BatchLogSettings.NAMES;
    }

    @Override
    public Storage open(StorageSettings settings) {
        return BatchLogStorage.open(BatchLogSettings.of(settings), settings.mode());
    }
}
