package dev.parley.bootstrap.replay;

import dev.parley.application.degrade.Fallback;
import dev.parley.application.degrade.Primary;
import dev.parley.application.port.StorageUnavailable;
import dev.parley.application.replay.ReplayStore;
import dev.parley.application.spi.Storage;
import dev.parley.bootstrap.config.StorageConfiguration;
import dev.parley.bootstrap.wiring.Storages;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

/**
 * A replay's store in a home directory. When its gateway dies, the files are put back to what they were at that moment, whatever the
 * store still writes when it is closed to let go of them. Used by one thread.
 */
public final class HomeStore implements ReplayStore {
    /** What no store writes; the lock is held by this process, and would be lost with the first file handle closed. */
    private static final Set<String> LEFT_ALONE = Set.of("gateway.lock", "media", "plugins");

    /** What SQLite's index of its log is called; it means nothing to the next process. */
    private static final String SHARED_MEMORY = "-shm";

    private final Storages storages;
    private final Path home;
    private final StorageConfiguration configuration;
    private boolean opened;

    /** The store of this configuration, opened by {@code storages} in their home. */
    public HomeStore(Storages storages, StorageConfiguration configuration) {
        this.storages = storages;
        this.home = storages.home().path();
        this.configuration = configuration;
    }

    @Override
    public Storage open() {
        Storage storage = primary().open();
        opened = true;
        return storage;
    }

    /** A store that no gateway of the replay could open yet is made now: it is not gone, it was never there. */
    @Override
    public Storage reopen(Consumer<Storage> look) {
        if (!opened) {
            return open();
        }
        return primary().reopen(look);
    }

    @Override
    public Optional<Fallback> fallback() {
        return storages.fallback(configuration);
    }

    private Primary primary() {
        return storages.primary(configuration, UnaryOperator.identity());
    }

    @Override
    public void die(Storage storage) {
        try {
            Path kept = Files.createTempDirectory("parley-crash-");
            try {
                copy(home, kept);
                storage.close();
                restore(kept);
            } finally {
                delete(kept);
            }
        } catch (IOException | UncheckedIOException e) {
            throw new StorageUnavailable(
                    "The files of the crashed gateway in " + home
                            + " cannot be kept; check the free space of the disk and of the temporary directory.",
                    e);
        }
    }

    private void restore(Path kept) throws IOException {
        for (Path file : files(home)) {
            if (!Files.exists(kept.resolve(home.relativize(file).toString()))) {
                Files.delete(file);
            }
        }
        copy(kept, home);
    }

    private static void copy(Path from, Path to) throws IOException {
        for (Path file : files(from)) {
            Path target = to.resolve(from.relativize(file).toString());
            Files.createDirectories(target.getParent());
            try {
                Files.copy(file, target, StandardCopyOption.REPLACE_EXISTING);
            } catch (NoSuchFileException e) {
                // A store's own thread has taken a temporary file away meanwhile; nothing stands on those.
            }
        }
    }

    private static List<Path> files(Path top) throws IOException {
        List<Path> files = new ArrayList<>();
        Files.walkFileTree(top, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path directory, BasicFileAttributes attributes) {
                return isLeftAlone(directory) ? FileVisitResult.SKIP_SUBTREE : FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
                if (attributes.isRegularFile()
                        && !isLeftAlone(file)
                        && !file.getFileName().toString().endsWith(SHARED_MEMORY)) {
                    files.add(file);
                }
                return FileVisitResult.CONTINUE;
            }

            private boolean isLeftAlone(Path path) {
                return top.equals(path.getParent())
                        && LEFT_ALONE.contains(path.getFileName().toString());
            }
        });
        return files;
    }

    /** Deletes a directory with everything in it. */
    static void delete(Path directory) throws IOException {
        Files.walkFileTree(directory, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                Files.delete(file);
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult postVisitDirectory(Path visited, @org.jspecify.annotations.Nullable IOException e)
                    throws IOException {
                if (e != null) {
                    throw e;
                }
                Files.delete(visited);
                return FileVisitResult.CONTINUE;
            }
        });
    }
}
