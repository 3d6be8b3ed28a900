package dev.parley.home;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Takes from everybody but its owner what lies in a home, where others could read it. Behind a directory that only its owner may enter
 * every file is the owner's only, so none is looked into. Links are left alone. Used by one thread.
 */
final class OwnersOnly {
    private static final Set<PosixFilePermission> OWNERS = EnumSet.of(
            PosixFilePermission.OWNER_READ, PosixFilePermission.OWNER_WRITE, PosixFilePermission.OWNER_EXECUTE);

    /** The directories that Parley makes in a home; what else lies there is the operator's, as {@code plugins} is. */
    private static final List<String> DIRECTORIES =
            List.of("sessions", "spill", "spill.overlay", "media", "signal", "platforms", "whatsapp");

    private static final int MOST_NAMED = 3;

    private final Path home;
    private final List<Path> closed = new ArrayList<>();
    private final List<Path> refused = new ArrayList<>();

    OwnersOnly(Path home) {
        this.home = home;
    }

    /** Takes each file of the home, and the directories that Parley makes there. */
    void takeHome() {
        takeFiles(home, any -> true);
        for (String name : DIRECTORIES) {
            take(home.resolve(name));
        }
    }

    /**
     * Takes what a storage keeps: the file that its address names, with those beside it, or a directory of the home, with its overlay. A
     * directory elsewhere is the operator's.
     *
     * @param url a storage address, such as {@code sqlite:state.db}; one that names a server, or no file of this machine, is passed over
     */
    void takeStorage(String url) {
        String address = url.substring(url.indexOf(':') + 1);
        if (address.startsWith("//")) {
            return;
        }
        Path stored;
        try {
            stored = home.resolve(address).normalize();
        } catch (InvalidPathException noPath) {
            return;
        }
        Path folder = stored.getParent();
        if (folder == null || home.startsWith(stored)) {
            return;
        }
        if (Files.isRegularFile(stored, LinkOption.NOFOLLOW_LINKS)) {
            String name = stored.getFileName().toString();
            takeFiles(
                    folder,
                    each -> each.equals(name) || each.startsWith(name + "-") || each.startsWith(name + ".backup-"));
        } else if (stored.startsWith(home)) {
            take(stored);
            take(stored.resolveSibling(stored.getFileName() + ".overlay"));
        }
    }

    private void takeFiles(Path folder, Predicate<String> named) {
        try (Stream<Path> files = Files.list(folder)) {
            files.filter(file -> named.test(file.getFileName().toString()))
                    .filter(file -> Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS))
                    .forEach(this::take);
        } catch (IOException | UncheckedIOException e) {
            refused.add(folder);
        }
    }

    private void take(Path path) {
        if (Files.isSymbolicLink(path)) {
            return;
        }
        Set<PosixFilePermission> before = Set.of();
        try {
            before = Files.getPosixFilePermissions(path, LinkOption.NOFOLLOW_LINKS);
            if (!OWNERS.containsAll(before)) {
                Files.setPosixFilePermissions(
                        path, before.stream().filter(OWNERS::contains).collect(Collectors.toSet()));
                closed.add(path);
            }
        } catch (NoSuchFileException none) {
            // Not made yet, or gone meanwhile.
        } catch (IOException e) {
            // Who owns it may let this process read it as one of its group; that everybody can read it is told.
            if (before.contains(PosixFilePermission.OTHERS_READ)) {
                refused.add(path);
            }
        }
    }

    /** Returns what was open to others and is not any more, for a line; empty where there is none. */
    String closed() {
        return named(closed);
    }

    /** Returns what everybody can read and what cannot be listed, for a line; empty where there is none. */
    String refused() {
        return named(refused);
    }

    private String named(List<Path> paths) {
        String named = paths.stream()
                .limit(MOST_NAMED)
                .map(path -> path.startsWith(home) && !path.equals(home)
                        ? home.relativize(path).toString()
                        : path.toString())
                .collect(Collectors.joining(", "));
        return paths.size() > MOST_NAMED ? named + " and " + (paths.size() - MOST_NAMED) + " more" : named;
    }
}
