package dev.parley.adapter.signal.inbound;

import dev.parley.application.port.StorageUnavailable;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;

/** The directory of the home in which lies what Signal has handed over. */
public final class SpoolDirectory {
    private SpoolDirectory() {}

    /**
     * Makes the directory where it is not there, readable by its owner only, and takes away what a killed process left half-fetched.
     *
     * @throws StorageUnavailable where it cannot be made
     */
    public static Path made(Path home) {
        Path directory = home.resolve("signal");
        FileAttribute<?>[] ownersOnly =
                home.getFileSystem().supportedFileAttributeViews().contains("posix")
                        ? new FileAttribute<?>[] {
                            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"))
                        }
                        : new FileAttribute<?>[0];
        try {
            Files.createDirectories(directory, ownersOnly);
            try (DirectoryStream<Path> parts = Files.newDirectoryStream(directory, "*.part")) {
                for (Path part : parts) {
                    Files.deleteIfExists(part);
                }
            }
            return directory;
        } catch (IOException e) {
            throw new StorageUnavailable(
                    directory + " cannot be made (" + e.getClass().getSimpleName() + "); check the home.", e);
        }
    }
}
