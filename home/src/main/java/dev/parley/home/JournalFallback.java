package dev.parley.home;

import dev.parley.application.degrade.Fallback;
import dev.parley.application.port.InvalidRequest;
import dev.parley.application.port.Journal;
import dev.parley.application.port.KnowledgeLog;
import dev.parley.application.port.StorageUnavailable;
import dev.parley.application.spi.ComposedStorage;
import dev.parley.application.spi.Storage;
import dev.parley.application.spi.StorageParts;
import dev.parley.application.spi.StorageSettings;
import dev.parley.application.spi.StorageSettings.Mode;
import dev.parley.domain.session.Lane;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A journal at an address, and beside it a store that is made anew from the journal each time.
 *
 * @param at where the journal is
 * @param primary the storage it stands in for
 */
record JournalFallback(StorageAt at, StorageAt primary) implements Fallback {
    private static final String OVERLAY = ".overlay";
    private static final String TEMPORARY = "parley-overlay-";
    /** The file in a temporary directory that names the home it belongs to, and the store beside it. */
    private static final String OF = "home";

    private static final String STORE = "store";
    private static final long ENOUGH = 8L * 1024 * 1024;

    private String address() {
        return at.settings().address();
    }

    private Path home() {
        return at.settings().home();
    }

    /** A journal takes no options: those of the configuration are the primary's. */
    private StorageSettings plain(String address) {
        return at.with(address, Mode.READ_WRITE, Map.of()).settings();
    }

    @Override
    public Journal openJournal() {
        deleteWhatAKilledProcessLeft();
        return at.provider()
                .openJournal(plain(address()))
                .orElseThrow(() -> new InvalidRequest("The storage "
                        + at.provider().scheme() + ":" + address()
                        + " cannot be a fallback; set the fallback to jsonl:DIRECTORY or none."));
    }

    @Override
    public Optional<KnowledgeLog> openKnowledgeLog() {
        return at.provider().openKnowledgeLog(plain(address()));
    }

    @Override
    public Optional<List<Lane>> knownLanes() {
        return primary.provider().knownLanes(primary.in(Mode.READ_ONLY).settings());
    }

    /** Beside the journal; where there is little room, the temporary directory is tried, so that the room is the journal's. */
    @Override
    public Storage openOverlay() {
        Path beside = home().resolve(address() + OVERLAY);
        Path temporary = Path.of(System.getProperty("java.io.tmpdir"));
        deleteOverlay(beside);
        boolean moved = !hasRoom(beside) && hasRoom(temporary);
        Path made = moved ? makeIn(temporary) : beside;
        Path directory = moved ? made.resolve(STORE) : beside;
        try {
            Storage opened = at.provider().open(plain(directory.toString()));
            return new Overlay(StorageParts.of(opened), opened, made);
        } catch (Throwable e) {
            deleteQuietly(made);
            throw e;
        }
    }

    /** A store that is of use only as long as it is open; its directory goes with it. */
    private record Overlay(StorageParts parts, Storage store, Path directory) implements ComposedStorage {
        @Override
        public String location() {
            return store.location();
        }

        @Override
        public void close() {
            store.close();
            deleteQuietly(directory);
        }
    }

    private static void deleteOverlay(Path directory) {
        try {
            if (Files.exists(directory)) {
                deleteAll(directory);
            }
        } catch (IOException e) {
            throw new StorageUnavailable(
                    "The directory " + directory + " of an earlier fallback cannot be removed (" + e.getMessage()
                            + "); remove it.",
                    e);
        }
    }

    /** Links are removed, and what they point to stays. */
    private static void deleteAll(Path directory) throws IOException {
        List<Path> innermostFirst;
        try (Stream<Path> found = Files.walk(directory)) {
            innermostFirst = found.sorted(Comparator.reverseOrder()).toList();
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
        for (Path each : innermostFirst) {
            Files.delete(each);
        }
    }

    /** What is left behind is only of use to this process, and its owner's alone. */
    private static void deleteQuietly(Path directory) {
        try {
            deleteOverlay(directory);
        } catch (StorageUnavailable e) {
            // The next fallback beside the journal removes it; the system cleans its temporary directory.
        }
    }

    /** A directory that nobody can have made before, for its owner only. */
    private Path makeIn(Path temporary) {
        try {
            Path made = Files.createTempDirectory(temporary, TEMPORARY);
            Files.writeString(made.resolve(OF), home().toString());
            return made;
        } catch (IOException e) {
            throw new StorageUnavailable(
                    "No directory for the fallback can be made in " + temporary + " (" + e.getMessage()
                            + "); free some space on the disk of the home.",
                    e);
        }
    }

    /** Only one process uses a home, so what names it and is this user's is nobody's any more. */
    private void deleteWhatAKilledProcessLeft() {
        Path temporary = Path.of(System.getProperty("java.io.tmpdir"));
        try (DirectoryStream<Path> found = Files.newDirectoryStream(temporary, TEMPORARY + "*")) {
            for (Path each : found) {
                if (isOfThisHome(each)) {
                    deleteQuietly(each);
                }
            }
        } catch (IOException | DirectoryIteratorException e) {
            // What is left there is its owner's only, and the system's to clean.
        }
    }

    private boolean isOfThisHome(Path directory) {
        Path home = home();
        try {
            return Files.isDirectory(directory, LinkOption.NOFOLLOW_LINKS)
                    && Files.getOwner(directory, LinkOption.NOFOLLOW_LINKS).equals(Files.getOwner(home))
                    && Files.readString(directory.resolve(OF)).equals(home.toString());
        } catch (IOException e) {
            return false;
        }
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
