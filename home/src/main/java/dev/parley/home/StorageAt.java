package dev.parley.home;

import dev.parley.application.degrade.Fallback;
import dev.parley.application.degrade.Primary;
import dev.parley.application.port.InvalidRequest;
import dev.parley.application.port.StorageCorrupt;
import dev.parley.application.port.StorageUnavailable;
import dev.parley.application.spi.Storage;
import dev.parley.application.spi.StorageProvider;
import dev.parley.application.spi.StorageSettings;
import dev.parley.application.spi.StorageSettings.Mode;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.function.UnaryOperator;

/**
 * A storage that is not open: its backend and what that is opened with.
 *
 * @param provider the backend
 * @param settings where the storage is, and its surroundings
 */
public record StorageAt(StorageProvider provider, StorageSettings settings) {
    private static final String PATIENCE = "busy_patience_ms";

    /**
     * Opens it as the settings say.
     *
     * @throws StorageUnavailable where it cannot be used now
     * @throws StorageCorrupt where it is damaged
     * @throws InvalidRequest where its backend refuses the settings
     */
    public Storage open() {
        return provider.open(settings);
    }

    /** Returns the same with another option for the backend, where it knows one of that name and was given none. */
    StorageAt withOption(String name, String value) {
        Map<String, String> options = new HashMap<>(settings.options());
        if (provider.options().contains(name)) {
            options.putIfAbsent(name, value);
        }
        return with(settings.address(), settings.mode(), options);
    }

    StorageAt in(Mode mode) {
        return with(settings.address(), mode, settings.options());
    }

    StorageAt with(String address, Mode mode, Map<String, String> options) {
        return new StorageAt(
                provider,
                new StorageSettings(
                        address,
                        settings.home(),
                        mode,
                        settings.clock(),
                        settings.zone(),
                        settings.ids(),
                        settings.threads(),
                        settings.warnings(),
                        options,
                        settings.environment()));
    }

    /** Returns this as the storage of a gateway that waits for a lock of another process for as long as its backend does. */
    public Primary primary(UnaryOperator<Storage> taking) {
        return new ReopenedPrimary(this, taking);
    }

    /**
     * Returns this as the storage of a gateway that has a fallback.
     *
     * @param patience for how long a lock of another process is waited for, where the backend can be told so
     * @param taking takes what was opened for the gateway: one that wants it to itself sees to it that it has
     */
    public Primary primary(Duration patience, UnaryOperator<Storage> taking) {
        return withOption(PATIENCE, Long.toString(patience.toMillis())).primary(taking);
    }

    /**
     * Returns this as the fallback of a primary storage: a journal at this address, and beside it a store that is made anew from the
     * journal each time. A backend that keeps no journals is refused when the fallback is opened.
     */
    public Fallback fallbackOf(StorageAt primary) {
        return new JournalFallback(this, primary);
    }
}
