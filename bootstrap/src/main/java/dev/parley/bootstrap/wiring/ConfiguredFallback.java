package dev.parley.bootstrap.wiring;

import com.google.common.io.MoreFiles;
import com.google.common.io.RecursiveDeleteOption;
import dev.parley.application.degrade.Fallback;
import dev.parley.application.port.InvalidRequest;
import dev.parley.application.port.Journal;
import dev.parley.application.port.KnowledgeLog;
import dev.parley.application.port.StorageUnavailable;
import dev.parley.application.spi.Storage;
import dev.parley.application.spi.StorageSettings.Mode;
import dev.parley.bootstrap.config.StorageConfiguration;
import dev.parley.domain.session.Lane;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
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
    private static final long ENOUGH = 8L * 1024 * 1024;

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
    public Optional<KnowledgeLog> openKnowledgeLog() {
        return storages.provider(address()).openKnowledgeLog(storages.settings(address(), Mode.READ_WRITE, Map.of()));
    }

    @Override
    public Optional<List<Lane>> knownLanes() {
        return storages.provider(configuration.url())
                .knownLanes(storages.settings(configuration.url(), Mode.READ_ONLY, configuration.options()));
    }

    /** Beside the journal; where there is little room, the temporary directory is tried, so that the room is the journal's. */
    @Override
    public Storage openOverlay() {
        String overlay = address() + OVERLAY;
        String scheme = overlay.substring(0, overlay.indexOf(':') + 1);
        Path beside = storages.home().path().resolve(overlay.substring(scheme.length()));
        boolean moved = !hasRoom(beside) && hasRoom(temporary());
        Path directory = moved ? temporary() : beside;
        try {
            if (Files.exists(directory)) {
                MoreFiles.deleteRecursively(directory, RecursiveDeleteOption.ALLOW_INSECURE);
            }
            if (moved) {
                // Made here and now, so it is nobody else's.
                makePrivate(directory);
            }
        } catch (IOException e) {
            throw new StorageUnavailable(
                    "The directory " + directory + " of an earlier fallback cannot be removed (" + e.getMessage()
                            + "); remove it.",
                    e);
        }
        return storages.open(scheme + directory, Mode.READ_WRITE, Map.of());
    }

    private static void makePrivate(Path directory) throws IOException {
        if (directory.getFileSystem().supportedFileAttributeViews().contains("posix")) {
            Files.createDirectory(
                    directory, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        } else {
            Files.createDirectory(directory);
        }
    }

    private Path temporary() {
        return Path.of(System.getProperty("java.io.tmpdir"))
                .resolve("parley-overlay-"
                        + Integer.toHexString(storages.home()
                                .path()
                                .toAbsolutePath()
                                .toString()
                                .hashCode()));
    }

    private static boolean hasRoom(Path directory) {
        try {
            Path there = directory;
            while (Files.notExists(there) && there.getParent() != null) {
                there = there.getParent();
            }
            return Files.getFileStore(there).getUsableSpace() >= ENOUGH;
        } catch (IOException e) {
            return true;
        }
    }
}
