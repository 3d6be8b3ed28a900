package dev.parley.persistence.sqlite.connection;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Arrays;
import org.sqlite.SQLiteJDBCLoader;
import org.sqlite.util.LibraryLoaderUtil;

/**
 * The library that SQLite is. The driver would take it out of its jar at each start, into the temporary directory, where a killed
 * process leaves it behind; here it is taken out once, into the home, and used again.
 */
public final class NativeLibrary {
    private static final String PATH = "org.sqlite.lib.path";
    private static final String NAME = "org.sqlite.lib.name";
    private static final String PREFIX = "sqlite-";

    private NativeLibrary() {}

    /**
     * Sees to it that the driver uses the library in a home. What keeps it from that is no failure: the driver then does as it
     * always does. Does nothing where the driver was told otherwise.
     *
     * @param mayWrite whether it may be taken out; if not, it is used where it is there
     */
    public static synchronized void use(Path home, boolean mayWrite) {
        if (System.getProperty(PATH) != null || !Files.isDirectory(home)) {
            return;
        }
        Path directory = home.resolve("native");
        Path library =
                directory.resolve(PREFIX + SQLiteJDBCLoader.getVersion() + "-" + LibraryLoaderUtil.getNativeLibName());
        try {
            byte[] content = content();
            if (!isSame(library, content)) {
                if (!mayWrite) {
                    return;
                }
                write(library, content);
            }
            System.setProperty(PATH, directory.toString());
            System.setProperty(NAME, library.getFileName().toString());
        } catch (IOException e) {
            // The driver takes it out of its jar.
        }
    }

    private static byte[] content() throws IOException {
        String resource = LibraryLoaderUtil.getNativeLibResourcePath() + "/" + LibraryLoaderUtil.getNativeLibName();
        try (InputStream in = SQLiteJDBCLoader.class.getResourceAsStream(resource)) {
            if (in == null) {
                throw new IOException("There is no " + resource + " in the driver.");
            }
            return in.readAllBytes();
        }
    }

    private static boolean isSame(Path library, byte[] content) throws IOException {
        return Files.isRegularFile(library)
                && Files.size(library) == content.length
                && Arrays.equals(Files.readAllBytes(library), content);
    }

    private static void write(Path library, byte[] content) throws IOException {
        Path directory = library.resolveSibling("");
        if (!Files.isDirectory(directory)) {
            Files.createDirectory(directory, DatabaseFile.ownerOnly(directory, "rwx------"));
        }
        Path begun = Files.createTempFile(directory, ".library", ".tmp");
        try {
            Files.write(begun, content);
            Files.move(begun, library, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } finally {
            Files.deleteIfExists(begun);
        }
        deleteOlder(library);
    }

    private static void deleteOlder(Path library) {
        try (DirectoryStream<Path> others = Files.newDirectoryStream(library.resolveSibling(""), PREFIX + "*")) {
            for (Path each : others) {
                if (!each.getFileName().equals(library.getFileName())) {
                    Files.delete(each);
                }
            }
        } catch (IOException e) {
            // One that is in use elsewhere is deleted by a later release.
        }
    }
}
