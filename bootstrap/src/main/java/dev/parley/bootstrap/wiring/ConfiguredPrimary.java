package dev.parley.bootstrap.wiring;

import dev.parley.application.degrade.Primary;
import dev.parley.application.spi.Storage;
import dev.parley.application.spi.StorageSettings.Mode;
import dev.parley.bootstrap.config.StorageConfiguration;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;

/**
 * The storage of the configuration. One that has a fallback waits for a lock of another process only as long as the configuration
 * says, where its backend can be told so.
 *
 * @param storages opens it
 * @param configuration where it is
 */
public record ConfiguredPrimary(Storages storages, StorageConfiguration configuration) implements Primary {
    private static final String PATIENCE = "busy_patience_ms";

    @Override
    public Storage open() {
        return storages.open(configuration.url(), Mode.READ_WRITE, options());
    }

    @Override
    public Storage reopen(Consumer<Storage> look) {
        // Opening to read fails where the store is gone, instead of making a new one in its place.
        try (Storage there = storages.open(configuration.url(), Mode.READ_ONLY, options())) {
            look.accept(there);
        }
        return open();
    }

    private Map<String, String> options() {
        Map<String, String> options = new HashMap<>(configuration.options());
        boolean told = configuration.fallback().isPresent()
                && storages.provider(configuration.url()).options().contains(PATIENCE);
        if (told) {
            options.putIfAbsent(
                    PATIENCE, Long.toString(configuration.busyPatience().toMillis()));
        }
        return options;
    }
}
