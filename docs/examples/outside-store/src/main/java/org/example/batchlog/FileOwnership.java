package org.example.batchlog;

import dev.parley.application.port.StorageUnavailable;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The right to write to a file, held by one opening at a time: in this process by a set, between processes by a lock that the
 * system lets go of when its holder dies. The set is asked first, for closing any channel of a locked file loses its lock.
 */
final class FileOwnership implements AutoCloseable {
    private static final Set<Path> HELD = ConcurrentHashMap.newKeySet();

    private final Path path;
    private final FileChannel channel;

    private FileOwnership(Path path, FileChannel channel) {
        this.path = path;
        this.channel = channel;
    }

    /**
     * Takes the right to write to a file.
     *
     * @param file the file, whose directory exists
     * @throws StorageUnavailable where it is taken
     */
    static FileOwnership take(Path file) throws IOException {
        Path path = file.getParent().toRealPath().resolve(file.getFileName() + ".lock");
        if (!HELD.add(path)) {
            throw inUse(file);
        }
        try {
            FileChannel channel = FileChannel.open(path, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
            if (!locks(channel)) {
                channel.close();
                throw inUse(file);
            }
            return new FileOwnership(path, channel);
        } catch (IOException | RuntimeException e) {
            HELD.remove(path);
            throw e;
        }
    }

    private static boolean locks(FileChannel channel) throws IOException {
        try {
            return channel.tryLock() != null;
        } catch (OverlappingFileLockException e) {
            return false;
        }
    }

    private static StorageUnavailable inUse(Path file) {
        return new StorageUnavailable(
                "The log " + file + " is open for writing already; stop what uses it, or name another file.", null);
    }

    @Override
    public void close() throws IOException {
        if (channel.isOpen()) {
            channel.close();
            HELD.remove(path);
        }
    }
}
