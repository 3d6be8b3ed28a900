package dev.parley.bootstrap.wiring;

import com.google.common.io.MoreFiles;
import com.google.common.io.RecursiveDeleteOption;
import dev.parley.application.degrade.Fallback;
import dev.parley.application.port.InvalidRequest;
import dev.parley.application.port.Journal;
import dev.parley.application.port.Recollection;
import dev.parley.application.port.StorageUnavailable;
import dev.parley.application.spi.Storage;
import dev.parley.application.spi.StorageSettings.Mode;
import dev.parley.bootstrap.config.StorageConfiguration;
import dev.parley.domain.session.Lane;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The fallback of the configuration: a journal at its address, and beside it a store that is made anew from the journal each
 * time.
 *
 * @param storages opens them
 * @param configuration where they are
 */
public record ConfiguredFallback(Storages storages, StorageConfiguration configuration) implements Fallback {
    private static final String OVERLAY = ".overlay";

    private String address() {
        return configuration.fallback().orElseThrow();
    }

    @Override
    public Journal openJournal() {
        return storages.provider(address())
                .openJournal(storages.settings(address(), Mode.READ_WRITE, Map.of()))
                .orElseThrow(() -> new InvalidRequest("The storage " + address()
                        + " cannot be a fallback; set storage.fallback to jsonl:DIRECTORY or none."));
    }

    @Override
    public Optional<Recollection> openRecollection() {
        return storages.provider(address()).openRecollection(storages.settings(address(), Mode.READ_WRITE, Map.of()));
    }

    @Override
    public Optional<List<Lane>> lastKnownLanes() {
        return storages.provider(configuration.url())
                .lastKnownLanes(storages.settings(configuration.url(), Mode.READ_ONLY, configuration.options()));
    }

    @Override
    public Storage openOverlay() {
        String overlay = address() + OVERLAY;
        Path directory = storages.home().path().resolve(overlay.substring(overlay.indexOf(':') + 1));
        try {
            if (Files.exists(directory)) {
                MoreFiles.deleteRecursively(directory, RecursiveDeleteOption.ALLOW_INSECURE);
            }
        } catch (IOException e) {
            throw new StorageUnavailable(
                    "The directory " + directory + " of an earlier fallback cannot be removed (" + e.getMessage()
                            + "); remove it.",
                    e);
        }
        return storages.open(overlay, Mode.READ_WRITE, Map.of());
    }
}
