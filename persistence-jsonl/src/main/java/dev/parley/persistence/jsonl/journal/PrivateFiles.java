package dev.parley.persistence.jsonl.journal;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;

/** Makes files and directories that only their owner can read, where the file system has permissions. The process's umask does not matter. */
public final class PrivateFiles {
    private PrivateFiles() {}

    /** Makes a directory and those above it where they do not exist. */
    public static void createDirectories(Path directory) throws IOException {
        if (!Files.isDirectory(directory)) {
            Files.createDirectories(directory, attributes(directory, "rwx------"));
        }
    }

    /** Makes an empty file that must not exist. */
    public static void create(Path file) throws IOException {
        Files.createFile(file, attributes(file, "rw-------"));
    }

    /** Opens a file; one that is made by it is the owner's only. */
    public static FileChannel open(Path file, OpenOption... how) throws IOException {
        return FileChannel.open(file, Set.of(how), attributes(file, "rw-------"));
    }

    private static FileAttribute<?>[] attributes(Path path, String permissions) {
        return path.getFileSystem().supportedFileAttributeViews().contains("posix")
                ? new FileAttribute<?>[] {
                    PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(permissions))
                }
                : new FileAttribute<?>[0];
    }
}
