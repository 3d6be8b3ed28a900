package dev.parley.fakes.chaos;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Optional;

/** The place of a database, which can fail the way places do: another process locks it, or it is full. */
final class Disk implements AutoCloseable {
    /** Where the index of SQLite's write-ahead log keeps the lock of its writer, by its file format. */
    private static final long WRITER = 120;

    /** Where it keeps the lock of those who use it. */
    private static final long USER = 128;

    private static final int BLOCK = 4096;
    private static final int SEVERAL = 256;

    private final Path directory;
    private final boolean ownMount;
    private final boolean sqlite;
    private Optional<FileChannel> locked = Optional.empty();

    private Disk(Path directory, boolean ownMount, boolean sqlite) {
        this.directory = directory;
        this.ownMount = ownMount;
        this.sqlite = sqlite;
    }

    /** What is wrong with it. */
    enum Fault {
        /** Another process holds the writer's lock and does not let go. */
        LOCKED,
        /** Nothing can be written any more. */
        FULL
    }

    /**
     * Makes a small file system of its own where this user may mount one, a mere directory otherwise.
     *
     * @param sqlite whether the store is SQLite's, whose lock others can take
     */
    static Disk at(Path directory, int megabytes, boolean sqlite) throws IOException {
        Files.createDirectories(directory);
        boolean mounted =
                succeeds("mount", "-t", "tmpfs", "-o", "size=" + megabytes + "m", "tmpfs", directory.toString());
        return new Disk(directory, mounted, sqlite);
    }

    Path directory() {
        return directory;
    }

    boolean canBe(Fault fault) {
        return fault == Fault.LOCKED ? sqlite : ownMount;
    }

    void become(Fault fault) throws IOException {
        if (fault == Fault.LOCKED) {
            lock();
        } else {
            fill();
        }
    }

    private void lock() throws IOException {
        FileChannel index = FileChannel.open(
                directory.resolve("state.db-shm"),
                StandardOpenOption.CREATE,
                StandardOpenOption.READ,
                StandardOpenOption.WRITE);
        index.lock(USER, 1, true);
        index.lock(WRITER, 1, false);
        locked = Optional.of(index);
    }

    private void fill() throws IOException {
        fill(SEVERAL * BLOCK);
        fill(BLOCK);
    }

    private void fill(int block) throws IOException {
        byte[] nothing = new byte[block];
        try (OutputStream out =
                Files.newOutputStream(ballast(), StandardOpenOption.CREATE, StandardOpenOption.APPEND)) {
            while (true) {
                out.write(nothing);
            }
        } catch (IOException full) {
            if (!Files.exists(ballast())) {
                throw full;
            }
        }
    }

    private Path ballast() {
        return directory.resolve("ballast");
    }

    void recover() throws IOException {
        if (locked.isPresent()) {
            locked.get().close();
            locked = Optional.empty();
        }
        Files.deleteIfExists(ballast());
    }

    @Override
    public void close() throws IOException {
        recover();
        if (ownMount && !succeeds("umount", "-l", directory.toString())) {
            throw new IOException("Cannot unmount " + directory);
        }
    }

    private static boolean succeeds(String... command) {
        try {
            return new ProcessBuilder(command)
                            .redirectErrorStream(true)
                            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                            .start()
                            .onExit()
                            .join()
                            .exitValue()
                    == 0;
        } catch (IOException noSuchCommand) {
            return false;
        }
    }
}
