package dev.parley.home;

import dev.parley.application.port.InvalidRequest;
import dev.parley.application.port.StorageUnavailable;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * The directory everything of one gateway lives in.
 *
 * @param path its absolute path; need not exist
 */
public record HomeDirectory(Path path) {
    /** The variable that names it. */
    public static final String VARIABLE = "PARLEY_HOME";

    /** What of a home holds conversations, and who takes part in them. */
    private static final List<String> STORED = List.of(
            "gateway.lock",
            "state.db",
            "state.db-wal",
            "state.db-shm",
            "sessions",
            "spill",
            "spill.overlay",
            "media",
            "signal",
            "pairing.json",
            "pairing.lock",
            "restart_counts.json",
            ".resume_boots.json");

    /** Returns the home directory: the one given, else that of {@code PARLEY_HOME}, else {@code ~/.parley}. */
    public static HomeDirectory of(Optional<Path> given, Map<String, String> environment, Path userHome) {
        Path path = given.or(() -> Optional.ofNullable(environment.get(VARIABLE))
                        .map(String::strip)
                        .filter(v -> !v.isEmpty())
                        .map(Path::of))
                .orElseGet(() -> userHome.resolve(".parley"));
        return new HomeDirectory(path.toAbsolutePath().normalize());
    }

    /** Returns a home at a path, relative to the working directory. */
    public static HomeDirectory at(Path path) {
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
            PrivateFiles.createDirectories(path);
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
            if (isOutOfSpace(e)) {
                // A gateway starts on a full disk too, and refuses what comes until there is room.
                return;
            }
            throw new StorageUnavailable(
                    "The home " + path + " cannot be written to (" + reason(e)
                            + "); check its permissions and the disk's free space, or name another with --home.",
                    e);
        }
    }

    /**
     * Makes what is stored in the home its owner's only, where others could read it; a home with another owner is told of,
     * but left as it is.
     *
     * @param warnings takes one line for each thing an operator should know
     */
    public void makePrivate(Consumer<String> warnings) {
        if (!path.getFileSystem().supportedFileAttributeViews().contains("posix")) {
            return;
        }
        try {
            if (isReachable()) {
                warnings.accept("The home " + path + " can be read by others ("
                        + PosixFilePermissions.toString(Files.getPosixFilePermissions(path))
                        + "); make it yours only: chmod 700 "
                        + path);
            }
            for (String stored : STORED) {
                makePrivate(path.resolve(stored));
            }
        } catch (IOException e) {
            warnings.accept("What is stored in " + path + " could not be made its owner's only (" + reason(e)
                    + "); check its permissions.");
        }
    }

    private static void makePrivate(Path stored) throws IOException {
        if (Files.isSymbolicLink(stored) || !Files.exists(stored)) {
            return;
        }
        if (!Files.isDirectory(stored)) {
            if (isOpen(stored)) {
                Files.setPosixFilePermissions(stored, PosixFilePermissions.fromString("rw-------"));
            }
        } else if (isOpen(stored)) {
            // Behind a directory that only its owner may enter, every file is the owner's only.
            try (Stream<Path> files = Files.list(stored)) {
                for (Path each : (Iterable<Path>) files::iterator) {
                    makePrivate(each);
                }
            }
        }
    }

    /** Returns whether others may enter the home, and every directory on the way to it; false where the file system has no permissions. */
    public boolean isReachable() throws IOException {
        if (!path.getFileSystem().supportedFileAttributeViews().contains("posix")) {
            return false;
        }
        boolean group = true;
        boolean others = true;
        for (Path each = path.toRealPath(); each != null && (group || others); each = each.getParent()) {
            Set<PosixFilePermission> permissions = Files.getPosixFilePermissions(each);
            others &= permissions.contains(PosixFilePermission.OTHERS_EXECUTE);
            group &= permissions.contains(PosixFilePermission.GROUP_EXECUTE)
                    || permissions.contains(PosixFilePermission.OTHERS_EXECUTE);
        }
        return others || (group && isOpen(path));
    }

    private static boolean isOpen(Path stored) throws IOException {
        Set<PosixFilePermission> permissions = Files.getPosixFilePermissions(stored);
        return permissions.stream().anyMatch(p -> !p.name().startsWith("OWNER_"));
    }

    /** Returns true where the directory exists. */
    public boolean exists() {
        return Files.isDirectory(path);
    }

    /** Returns the path without links, by which the same home is recognised; the path itself where it does not exist. */
    public Path realPath() {
        try {
            return path.toRealPath();
        } catch (IOException e) {
            return path;
        }
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

    /** Java tells a full disk from other failures by the system's words alone. */
    static boolean isOutOfSpace(IOException e) {
        String words = String.valueOf(e.getMessage());
        return words.contains("No space left")
                || words.contains("Disk quota exceeded")
                || words.contains("not enough space");
    }

    /** Makes a file its owner's only, where the file system knows owners. */
    public static void ownersOnly(Path file) throws IOException {
        if (file.getFileSystem().supportedFileAttributeViews().contains("posix")) {
            Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
        }
    }

    /** Returns in a few words why a file could not be used. */
    public static String reason(IOException e) {
        if (e instanceof NoSuchFileException) {
            return "there is no such file or directory";
        }
        if (e instanceof AccessDeniedException) {
            return "permission denied";
        }
        String name = e.getClass().getSimpleName().replace("Exception", "");
        String message = Optional.ofNullable(
                        e instanceof java.nio.file.FileSystemException f ? f.getReason() : e.getMessage())
                .orElse("");
        return message.isBlank() ? name : message;
    }
}
