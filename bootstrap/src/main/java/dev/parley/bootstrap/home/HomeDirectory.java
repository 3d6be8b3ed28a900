package dev.parley.bootstrap.home;

import dev.parley.application.port.InvalidRequest;
import dev.parley.application.port.StorageUnavailable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import java.util.Optional;

/**
 * The directory everything of one gateway lives in.
 *
 * @param path its absolute path; need not exist
 */
public record HomeDirectory(Path path) {
    /** The variable that names it. */
    public static final String VARIABLE = "PARLEY_HOME";

    /** Returns the home directory: the one given, else that of {@code PARLEY_HOME}, else {@code ~/.parley}. */
    public static HomeDirectory of(Optional<Path> given, Map<String, String> environment, Path userHome) {
        Path path = given.or(() -> Optional.ofNullable(environment.get(VARIABLE))
                        .map(String::strip)
                        .filter(v -> !v.isEmpty())
                        .map(Path::of))
                .orElseGet(() -> userHome.resolve(".parley"));
        return new HomeDirectory(path.toAbsolutePath().normalize());
    }

    /**
     * Makes the directory where it does not exist, readable by its owner only.
     *
     * @throws InvalidRequest where a file is in the way
     * @throws StorageUnavailable where it cannot be made or written to
     */
    public void create() {
        if (Files.exists(path) && !Files.isDirectory(path)) {
            throw new InvalidRequest(
                    "The home " + path + " is a file; name a directory with --home or " + VARIABLE + ".");
        }
        try {
            if (!Files.isDirectory(path)) {
                if (path.getFileSystem().supportedFileAttributeViews().contains("posix")) {
                    Files.createDirectories(
                            path, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
                } else {
                    Files.createDirectories(path);
                }
            }
        } catch (IOException e) {
            throw new StorageUnavailable(
                    "The home " + path + " cannot be made (" + reason(e)
                            + "); name another directory with --home, or check its parent's permissions.",
                    e);
        }
        checkWritable();
    }

    private void checkWritable() {
        try {
            Path probe = Files.createTempFile(path, ".probe", null);
            Files.delete(probe);
        } catch (IOException e) {
            throw new StorageUnavailable(
                    "The home " + path + " cannot be written to (" + reason(e)
                            + "); check its permissions and the disk's free space, or name another with --home.",
                    e);
        }
    }

    /** Returns true where the directory exists. */
    public boolean exists() {
        return Files.isDirectory(path);
    }

    /** Returns the configuration file's place. */
    public Path configFile() {
        return path.resolve("parley.yaml");
    }

    /** Returns the plug-ins' directory. */
    public Path plugins() {
        return path.resolve("plugins");
    }

    /** Returns the path as it is shown: with {@code ~} for the user's home. */
    public String shown(Path userHome) {
        return path.startsWith(userHome) ? "~/" + userHome.relativize(path) : path.toString();
    }

    static String reason(IOException e) {
        String name = e.getClass().getSimpleName().replace("Exception", "");
        String message = Optional.ofNullable(
                        e instanceof java.nio.file.FileSystemException f ? f.getReason() : e.getMessage())
                .orElse("");
        return message.isBlank() ? name : message;
    }
}
