package dev.parley.persistence.sqlite.connection;

import dev.parley.application.port.StorageCorrupt;
import dev.parley.application.port.StorageUnavailable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.Optional;

/**
 * A database file by its path. Looks at the file itself before SQLite does, so that a file that is none is never touched.
 *
 * @param path the path, absolute
 */
public record DatabaseFile(Path path) {
    private static final byte[] MAGIC = "SQLite format 3\0".getBytes(StandardCharsets.US_ASCII);
    private static final int HEADER = 100;

    public DatabaseFile {
        path = path.toAbsolutePath().normalize();
    }

    /** What stands at the path. */
    public enum Kind {
        /** Nothing, or a file without a byte: both become a new database. */
        NEW,
        /** A database. */
        DATABASE
    }

    /** Makes the folder of the file where it does not exist. */
    public void makeFolder() {
        Path folder = path.getParent();
        if (folder == null || Files.isDirectory(folder)) {
            return;
        }
        try {
            Files.createDirectories(folder, ownerOnly(folder, "rwx------"));
        } catch (IOException e) {
            throw new StorageUnavailable(
                    "The folder " + folder
                            + " for the database cannot be made; check that nothing else stands there and"
                            + " that it may be written.",
                    e);
        }
    }

    /**
     * Makes the file where it does not exist, for its owner only; SQLite gives the files beside it the same permissions. What
     * keeps it from being made SQLite tells.
     */
    void make() {
        try {
            if (!Files.exists(path)) {
                Files.createFile(path, ownerOnly(path, "rw-------"));
            }
        } catch (IOException e) {
            // Opening it says why, in the words of every other failure.
        }
    }

    /** Returns the permissions something new has, where the system knows such. */
    public static FileAttribute<?>[] ownerOnly(Path path, String permissions) {
        return path.getFileSystem().supportedFileAttributeViews().contains("posix")
                ? new FileAttribute<?>[] {
                    PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(permissions))
                }
                : new FileAttribute<?>[0];
    }

    /**
     * Looks at the file without changing anything.
     *
     * @throws StorageUnavailable where it is a folder or cannot be read
     * @throws StorageCorrupt where it is not a SQLite database, or ends too early
     */
    public Kind inspect() {
        if (Files.isDirectory(path)) {
            throw new StorageUnavailable("The path " + this + " is a folder; give the path of a database file.", null);
        }
        ByteBuffer header = ByteBuffer.allocate(HEADER);
        long size;
        try (SeekableByteChannel channel = Files.newByteChannel(path)) {
            size = channel.size();
            int got = 0;
            while (got >= 0 && header.hasRemaining()) {
                got = channel.read(header);
            }
        } catch (NoSuchFileException e) {
            return Kind.NEW;
        } catch (IOException e) {
            throw new StorageUnavailable(
                    "The database " + this + " cannot be read; check its path and permissions.", e);
        }
        if (size == 0) {
            return Kind.NEW;
        }
        if (size < HEADER || !Arrays.equals(MAGIC, Arrays.copyOf(header.array(), MAGIC.length))) {
            throw SqlErrors.notADatabase(this, null);
        }
        refuseTruncated(header, size);
        return Kind.DATABASE;
    }

    /** Refuses a file shorter than its header says; while a log stands beside it, the header may run ahead. */
    private void refuseTruncated(ByteBuffer header, long size) {
        int stored = header.getShort(16) & 0xffff;
        long pageSize = stored == 1 ? 65536 : stored;
        long pages = header.getInt(28) & 0xffffffffL;
        boolean pagesKnown = pages > 0 && header.getInt(24) == header.getInt(92);
        if (pagesKnown && pages * pageSize > size && !hasLog()) {
            throw new StorageCorrupt(
                    "The database " + this + " is damaged (it ends after " + size + " of " + pages * pageSize
                            + " bytes); restore a copy.",
                    null);
        }
    }

    /** Returns whether a write-ahead log stands beside the file. */
    public boolean hasLog() {
        return Files.exists(logPath());
    }

    /**
     * Returns what tells the file that stands at the path now from another one that is put in its place; absent where there is
     * none, or the file system tells no files apart. The file is not opened.
     */
    public Optional<Object> identity() {
        try {
            return Optional.ofNullable(
                    Files.readAttributes(path, BasicFileAttributes.class).fileKey());
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    /** Returns the size of the file, or 0 where there is none. */
    public long size() {
        return size(path);
    }

    /** Returns the size of the write-ahead log, or 0 where there is none. */
    public long logSize() {
        return size(logPath());
    }

    /** Returns whether the file stands. */
    public boolean exists() {
        return Files.exists(path);
    }

    private Path logPath() {
        return path.resolveSibling(path.getFileName() + "-wal");
    }

    private static long size(Path file) {
        try {
            return Files.size(file);
        } catch (IOException e) {
            return 0;
        }
    }

    /** Returns the path as SQLite's address of the file, with parameters. */
    String uri(String parameters) {
        StringBuilder uri = new StringBuilder("file:");
        for (byte each : path.toString().getBytes(StandardCharsets.UTF_8)) {
            boolean plain = each > ' ' && each != '%' && each != '?' && each != '#' && each != '&';
            uri.append(plain ? String.valueOf((char) each) : String.format("%%%02X", each & 0xff));
        }
        return uri.append('?').append(parameters).toString();
    }

    @Override
    public String toString() {
        return path.toString();
    }
}
