package dev.parley.persistence.sqlite.schema;

import dev.parley.application.port.StorageCorrupt;
import dev.parley.persistence.sqlite.connection.Connections;
import dev.parley.persistence.sqlite.connection.SqlErrors;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Repairs the list of tables of a file where SQLite cannot read it: entries that stand twice, and entries of the search index, which is
 * made anew afterwards. A copy of the file is kept first. Sessions and messages are not touched.
 */
final class SchemaRepair {
    private SchemaRepair() {}

    /** Returns whether a failure says that the list of tables cannot be read. */
    static boolean isNeeded(SQLException failure) {
        return SqlErrors.detail(failure).toLowerCase(Locale.ROOT).contains("malformed database schema");
    }

    /**
     * Repairs the list and returns in one line each what was done.
     *
     * @throws StorageCorrupt where the list cannot be read afterwards either; what was tried is taken back
     */
    static List<String> repair(Connections connections, Instant now, SQLException failure) throws SQLException {
        List<String> done = new ArrayList<>();
        done.add("Kept a copy of the database as it was: " + Backup.make(connections, now) + ".");
        try (Connection writer = connections.writer();
                Statement statement = writer.createStatement()) {
            statement.execute("PRAGMA writable_schema = ON");
            statement.execute("BEGIN IMMEDIATE");
            int twice = statement.executeUpdate("DELETE FROM sqlite_master WHERE rowid NOT IN"
                    + " (SELECT min(rowid) FROM sqlite_master GROUP BY type, name)");
            bump(statement);
            statement.execute("COMMIT");
            if (twice > 0) {
                done.add("Removed " + twice + " entries that stood twice in the list of tables.");
            }
        }
        if (!isReadable(connections)) {
            dropIndexEntries(connections, failure);
            done.add("Removed the search index from the list of tables, since it could not be read.");
        }
        return done;
    }

    /**
     * Removes the entries of the search index that cannot be read, and nothing else. A copy is kept first of a file that has no tables of
     * Parley. Returns in one line each what was done.
     *
     * @throws SQLException where other entries cannot be read either; the list is as it was then
     */
    static List<String> setIndexAside(Connections connections, InstantSource clock, SQLException failure)
            throws SQLException {
        List<String> done = new ArrayList<>();
        try (Connection writer = connections.writer()) {
            if (isForeign(writer)) {
                done.add("Kept a copy of the database as it was: " + Backup.make(connections, clock.instant()) + ".");
            }
            SearchIndex.forgetUnreadable(writer, failure);
        }
        return done;
    }

    /** Entries that cannot be read are passed over. */
    private static boolean isForeign(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute("PRAGMA writable_schema = ON");
            try {
                return FileStructure.read(connection).parleyVersion().isEmpty();
            } finally {
                statement.execute("PRAGMA writable_schema = RESET");
            }
        }
    }

    /** Pages of what is removed so are given back by writing the file anew, else a check would find them. */
    private static void dropIndexEntries(Connections connections, SQLException failure) throws SQLException {
        try (Connection writer = connections.writer();
                Statement statement = writer.createStatement()) {
            statement.execute("PRAGMA writable_schema = ON");
            statement.execute("BEGIN IMMEDIATE");
            statement.executeUpdate(
                    "DELETE FROM sqlite_master WHERE name GLOB 'messages_fts*' OR tbl_name GLOB 'messages_fts*'");
            bump(statement);
            statement.execute("PRAGMA writable_schema = RESET");
            try {
                statement.executeQuery("SELECT count(*) FROM sqlite_master").close();
            } catch (SQLException still) {
                statement.execute("ROLLBACK");
                throw new StorageCorrupt(
                        "The database " + connections.file() + " is damaged in its list of tables ("
                                + SqlErrors.detail(failure) + ") beyond what can be repaired; restore a copy.",
                        still);
            }
            statement.execute("COMMIT");
            statement.execute("VACUUM");
        }
    }

    /** Other connections read the list again when this number has changed. */
    private static void bump(Statement statement) throws SQLException {
        long version;
        try (ResultSet row = statement.executeQuery("PRAGMA main.schema_version")) {
            version = row.getLong(1);
        }
        statement.execute("PRAGMA main.schema_version = " + (version + 1));
    }

    private static boolean isReadable(Connections connections) throws SQLException {
        try (Connection fresh = connections.writer()) {
            FileStructure.read(fresh);
            return true;
        } catch (SQLException e) {
            if (isNeeded(e)) {
                return false;
            }
            throw e;
        }
    }
}
