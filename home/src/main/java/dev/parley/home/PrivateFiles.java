package dev.parley.home;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;

/**
 * Makes files and directories that only their owner may read, where the file system has permissions; the process's umask does not matter.
 * A symbolic link in the place of a file is refused, so that nobody has a file written that is another one. Safe for concurrent use.
 */
public final class PrivateFiles {
    private PrivateFiles() {}

    /** Gives a file another text, or makes it with it: after a kill or on a full disk it has the old one or the new one, whole. */
    public static void replace(Path file, String text) throws IOException {
        refuseLink(file);
        Path fresh = written(file, text);
        try {
            Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } finally {
            Files.deleteIfExists(fresh);
        }
    }

    /** Adds a text at the end of a file, which is made where it does not exist; on disk when it returns. */
    public static void append(Path file, String text) throws IOException {
        try (FileChannel out = open(
                file,
                StandardOpenOption.CREATE,
                StandardOpenOption.WRITE,
                StandardOpenOption.APPEND,
                LinkOption.NOFOLLOW_LINKS)) {
            write(out, text);
            out.force(true);
        }
    }

    /** Opens a file; one that is made by it is the owner's only. */
    static FileChannel open(Path file, OpenOption... how) throws IOException {
        return FileChannel.open(file, Set.of(how), attributes(file, "rw-------"));
    }

    /** Makes a directory that only its owner may enter, and those above it, where they do not exist. */
    public static void createDirectories(Path directory) throws IOException {
        if (!Files.isDirectory(directory)) {
            Files.createDirectories(directory, attributes(directory, "rwx------"));
        }
    }

    private static Path written(Path file, String text) throws IOException {
        Path fresh = Files.createTempFile(
                file.toAbsolutePath().getParent(),
                "." + file.getFileName() + ".",
                ".new",
                attributes(file, "rw-------"));
        try (FileChannel out = FileChannel.open(fresh, StandardOpenOption.WRITE)) {
            write(out, text);
            out.force(true);
            return fresh;
        } catch (IOException | RuntimeException e) {
            Files.deleteIfExists(fresh);
            throw e;
        }
    }

    private static void write(FileChannel out, String text) throws IOException {
        ByteBuffer bytes = StandardCharsets.UTF_8.encode(text);
        while (bytes.hasRemaining()) {
            out.write(bytes);
        }
    }

    private static void refuseLink(Path file) throws IOException {
        if (Files.isSymbolicLink(file)) {
            throw new FileSystemException(file.toString(), null, "a symbolic link; put the file itself here");
        }
    }

    private static FileAttribute<?>[] attributes(Path path, String permissions) {
        return path.getFileSystem().supportedFileAttributeViews().contains("posix")
                ? new FileAttribute<?>[] {
                    PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(permissions))
                }
                : new FileAttribute<?>[0];
    }
}
