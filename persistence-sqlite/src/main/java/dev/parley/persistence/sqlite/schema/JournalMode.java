package dev.parley.persistence.sqlite.schema;

import dev.parley.persistence.sqlite.connection.BusyRetry;
import dev.parley.persistence.sqlite.connection.DatabaseFile;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * Puts a file into write-ahead logging. Where the file system cannot do that, the file keeps a rollback journal and the operator
 * is told once; a file that is in write-ahead logging already is never taken out of it (storage 2).
 */
final class JournalMode {
    private static final Set<DatabaseFile> WARNED = ConcurrentHashMap.newKeySet();

    private JournalMode() {}

    static void prepare(Connection writer, DatabaseFile file, BusyRetry retry, Consumer<String> warnings)
            throws SQLException {
        if (retry.attempt(() -> ask(writer, "")).equals("wal")) {
            return;
        }
        String got;
        try {
            got = retry.attempt(() -> ask(writer, " = WAL"));
        } catch (SQLException e) {
            if (!isUnsupported(e)) {
                throw e;
            }
            got = retry.attempt(() -> ask(writer, " = DELETE"));
        }
        if (!got.equals("wal") && WARNED.add(file)) {
            warnings.accept("The file system of the database " + file
                    + " cannot do write-ahead logging; it is used with a rollback journal, so readers and the writer"
                    + " wait for each other.");
        }
    }

    static boolean isUnsupported(SQLException failure) {
        String message = String.valueOf(failure.getMessage()).toLowerCase(Locale.ROOT);
        return Stream.of("locking protocol", "not authorized", "disk i/o error").anyMatch(message::contains);
    }

    private static String ask(Connection connection, String setting) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("PRAGMA main.journal_mode" + setting)) {
            return row.next() ? row.getString(1).toLowerCase(Locale.ROOT) : "";
        }
    }
}
