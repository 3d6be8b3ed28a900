package dev.parley.application.spi;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Makes files that only their owner may read, where the file system has permissions; the process's umask does not matter.
 * A symbolic link in the place of a file is refused, so that nobody has a file written that is another one. Safe for concurrent use.
 */
public final class PrivateFiles {
    private PrivateFiles() {}

    /**
     * Makes a file with a text that it has from its first moment on; after a kill or on a full disk it is there whole or not at all.
     * Returns false where there is something in its place already, which stays as it is.
     */
    public static boolean create(Path file, String text) throws IOException {
        Path fresh = written(file, text);
        try {
            Files.createLink(file, fresh);
            return true;
        } catch (FileAlreadyExistsException there) {
            return false;
        } catch (UnsupportedOperationException noLinks) {
            return moved(fresh, file);
        } finally {
            Files.deleteIfExists(fresh);
        }
    }

    private static boolean moved(Path fresh, Path file) throws IOException {
        try {
            Files.move(fresh, file);
            return true;
        } catch (FileAlreadyExistsException there) {
            return false;
        }
    }

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

    /** Adds a text at the end of a file, which is made where it does not exist; on disk when it returns where {@code durably}. */
    public static void append(Path file, String text, boolean durably) throws IOException {
        try (FileChannel out =
                open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE, StandardOpenOption.APPEND)) {
            write(out, text);
            if (durably) {
                out.force(true);
            }
        }
    }

    /** Opens a file; one that is made by it is the owner's only. */
    private static FileChannel open(Path file, OpenOption... how) throws IOException {
        Set<OpenOption> options = new HashSet<>(List.of(how));
        options.add(LinkOption.NOFOLLOW_LINKS);
        return FileChannel.open(file, options, attributes(file));
    }

    private static Path written(Path file, String text) throws IOException {
        Path fresh = Files.createTempFile(
                file.toAbsolutePath().getParent(), "." + file.getFileName() + ".", ".new", attributes(file));
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

    private static FileAttribute<?>[] attributes(Path path) {
        return path.getFileSystem().supportedFileAttributeViews().contains("posix")
                ? new FileAttribute<?>[] {
                    PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"))
                }
                : new FileAttribute<?>[0];
    }
}
