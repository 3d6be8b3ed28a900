package dev.parley.persistence.jsonl.journal;

import dev.parley.application.port.StorageUnavailable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The right to write to a directory: held by one opening at a time, and let go of by the system when its process ends. Within this
 * process a set is asked first, for closing any channel of a locked file loses the process's lock.
 */
public final class DirectoryLock implements AutoCloseable {
    private static final Set<Path> HELD = ConcurrentHashMap.newKeySet();

    private final Path held;
    private final FileChannel channel;

    private DirectoryLock(Path held, FileChannel channel) {
        this.held = held;
        this.channel = channel;
    }

    /**
     * Takes the lock.
     *
     * @throws StorageUnavailable where another process, or another part of this one, holds it
     */
    public static DirectoryLock take(Path file) throws IOException {
        Path directory = Objects.requireNonNull(file.toAbsolutePath().getParent(), "a lock lies in a directory");
        Path held = directory.toRealPath().resolve(file.getFileName());
        if (!HELD.add(held)) {
            throw inUse(file, "process " + ProcessHandle.current().pid());
        }
        try {
            return new DirectoryLock(held, locked(file));
        } catch (IOException | RuntimeException e) {
            HELD.remove(held);
            throw e;
        }
    }

    private static FileChannel locked(Path file) throws IOException {
        FileChannel channel = PrivateFiles.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        try {
            FileLock lock = tryLock(channel);
            if (lock == null) {
                throw inUse(file, "process " + owner(file));
            }
            nameOwner(channel);
            return channel;
        } catch (IOException | RuntimeException e) {
            channel.close();
            throw e;
        }
    }

    /** The process id is only for a message: a full disk does not cost the lock. */
    private static void nameOwner(FileChannel channel) {
        try {
            channel.truncate(0);
            channel.write(
                    ByteBuffer.wrap(Long.toString(ProcessHandle.current().pid()).getBytes(StandardCharsets.US_ASCII)));
        } catch (IOException e) {
            // The message of a refusal says "(unknown)" then.
        }
    }

    private static StorageUnavailable inUse(Path file, String by) {
        return new StorageUnavailable(
                "The directory " + file.getParent() + " is in use by " + by
                        + "; stop that process or use another directory.",
                null);
    }

    private static @Nullable FileLock tryLock(FileChannel channel) throws IOException {
        try {
            return channel.tryLock();
        } catch (OverlappingFileLockException sameProcess) {
            return null;
        }
    }

    private static String owner(Path file) throws IOException {
        String pid = Files.readString(file, StandardCharsets.ISO_8859_1).strip();
        return pid.isEmpty() ? "(unknown)" : pid;
    }

    @Override
    public void close() throws IOException {
        if (channel.isOpen()) {
            channel.close();
            HELD.remove(held);
        }
    }
}
