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
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

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
     * Makes what lies in the home its owner's only, where others could read it: each file, and the directories that Parley makes. Of files
     * that belong to somebody else is told where everybody can read them; a home that others can read is told of, but left as it is.
     *
     * @param warnings takes one line for each thing an operator should know
     */
    public void makePrivate(Consumer<String> warnings) {
        boolean reachable = warnsOfReaders(warnings);
        OwnersOnly taken = makePrivate(warnings, OwnersOnly::takeHome);
        if (reachable && !taken.closed().isEmpty()) {
            warnings.accept("In the home " + path + " others could read " + taken.closed()
                    + ", which is its owner's only now; change what was secret in it if they may have done so.");
        }
    }

    private boolean warnsOfReaders(Consumer<String> warnings) {
        try {
            if (!isReachable()) {
                return false;
            }
            warnings.accept("The home " + path + " can be read by others ("
                    + PosixFilePermissions.toString(Files.getPosixFilePermissions(path))
                    + "); make it yours only: chmod 700 "
                    + path);
        } catch (IOException e) {
            warnings.accept("Whether others can read the home " + path + " cannot be seen (" + reason(e)
                    + "); check its permissions.");
        }
        return true;
    }

    /**
     * Makes what a storage keeps its owner's only as {@link #makePrivate} does: the file that its address names, wherever it is, with those
     * beside it, or a directory of the home. A directory elsewhere is the operator's.
     *
     * @param url the address of a storage, such as {@code sqlite:state.db}, relative to the home; one that names no file is passed over
     * @param warnings takes one line for each thing an operator should know
     */
    public void makeStoragePrivate(String url, Consumer<String> warnings) {
        OwnersOnly unused = makePrivate(warnings, taking -> taking.takeStorage(url));
    }

    private OwnersOnly makePrivate(Consumer<String> warnings, Consumer<OwnersOnly> work) {
        OwnersOnly taking = new OwnersOnly(path);
        if (path.getFileSystem().supportedFileAttributeViews().contains("posix")) {
            work.accept(taking);
        }
        if (!taking.refused().isEmpty()) {
            warnings.accept(
                    "Everybody can read what could not be made its owner's only, since it belongs to somebody else or"
                            + " cannot be listed: " + taking.refused() + "; have its owner run chmod go-rwx on it.");
        }
        return taking;
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
