package dev.parley.bootstrap.wiring;

import dev.parley.application.degrade.Primary;
import dev.parley.application.spi.Storage;
import dev.parley.application.spi.StorageSettings.Mode;
import dev.parley.bootstrap.config.StorageConfiguration;

/**
 * The storage of the configuration.
 *
 * @param storages opens it
 * @param configuration where it is
 */
public record ConfiguredPrimary(Storages storages, StorageConfiguration configuration) implements Primary {
    @Override
    public Storage open() {
        return storages.open(configuration.url(), Mode.READ_WRITE, configuration.options());
    }

    @Override
    public Storage reopen() {
        // Opening to read first: that fails where the store is gone, instead of making a new one in its place.
        storages.open(configuration.url(), Mode.READ_ONLY, configuration.options())
                .close();
        return open();
    }
}
