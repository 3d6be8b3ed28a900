package dev.parley.persistence.sqlite.schema;

import dev.parley.application.port.StorageUnavailable;
import dev.parley.persistence.sqlite.connection.Connections;
import dev.parley.persistence.sqlite.connection.DatabaseFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import org.sqlite.SQLiteConnection;

/** A copy of a file as it was before it is changed, made through SQLite's backup interface, so complete at any moment. */
final class Backup {
    private static final DateTimeFormatter STAMP =
            DateTimeFormatter.ofPattern("uuuuMMdd-HHmmss").withZone(ZoneOffset.UTC);

    private Backup() {}

    /** Makes the copy beside the file, under a name of its own, and returns its path. */
    static Path make(Connections connections, Instant now) throws SQLException {
        DatabaseFile file = connections.file();
        Path target = reserve(file.path(), STAMP.format(now));
        try (Connection source = connections.reader(false)) {
            int result = source.unwrap(SQLiteConnection.class).getDatabase().backup("main", target.toString(), null);
            if (result != 0) {
                throw new StorageUnavailable(
                        "The database " + file + " cannot be copied to " + target + " before it is changed (code "
                                + result + "); check the disk, nothing was changed.",
                        null);
            }
            return target;
        } catch (SQLException | RuntimeException e) {
            discard(target, e);
            throw e;
        }
    }

    private static Path reserve(Path file, String stamp) {
        int number = 1;
        Path candidate = named(file, stamp, number);
        while (Files.exists(candidate)) {
            candidate = named(file, stamp, ++number);
        }
        try {
            return Files.createFile(candidate, DatabaseFile.ownerOnly(candidate, "rw-------"));
        } catch (IOException e) {
            throw new StorageUnavailable(
                    "The database " + file + " cannot be copied to " + candidate
                            + " before it is changed; check the permissions of the folder.",
                    e);
        }
    }

    private static Path named(Path file, String stamp, int number) {
        return file.resolveSibling(file.getFileName() + ".backup-" + stamp + (number == 1 ? "" : "-" + number));
    }

    private static void discard(Path target, Exception because) {
        try {
            Files.deleteIfExists(target);
        } catch (IOException e) {
            because.addSuppressed(e);
        }
    }
}
