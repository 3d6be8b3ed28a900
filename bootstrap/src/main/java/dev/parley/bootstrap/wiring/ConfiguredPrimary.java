package dev.parley.bootstrap.wiring;

import dev.parley.application.degrade.Primary;
import dev.parley.application.spi.Storage;
import dev.parley.application.spi.StorageSettings.Mode;
import dev.parley.bootstrap.config.StorageConfiguration;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

/**
 * The storage of the configuration. One that has a fallback waits for a lock of another process only as long as the configuration
 * says, where its backend can be told so.
 *
 * @param storages opens it
 * @param configuration where it is
 * @param taking takes what was opened for the gateway: one that wants it to itself sees to it that it has
 */
public record ConfiguredPrimary(Storages storages, StorageConfiguration configuration, UnaryOperator<Storage> taking)
        implements Primary {
    private static final String PATIENCE = "busy_patience_ms";

    /** The storage as it was opened. */
    public ConfiguredPrimary(Storages storages, StorageConfiguration configuration) {
        this(storages, configuration, UnaryOperator.identity());
    }

    @Override
    public Storage open() {
        return taking.apply(storages.open(configuration.url(), Mode.READ_WRITE, options()));
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
