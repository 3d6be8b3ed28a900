package dev.parley.persistence.sqlite.schema;

import dev.parley.application.port.StorageCorrupt;
import dev.parley.persistence.sqlite.connection.DatabaseFile;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;

/** Looks for damage before anything is changed. */
public final class Damage {
    private Damage() {}

    /**
     * Refuses to go on where the sessions or messages are damaged: what reads every row in order to write others must not spread
     * damage. The full-text tables are left out, since they can be made anew.
     */
    public static void refuse(Connection connection, DatabaseFile file) throws SQLException {
        FileStructure found = FileStructure.read(connection);
        for (String table : List.of("sessions", "messages")) {
            if (found.has(table)) {
                refuse(connection, table, file);
            }
        }
    }

    private static void refuse(Connection connection, String table, DatabaseFile file) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("PRAGMA main.quick_check(" + table + ")")) {
            String first = rows.next() ? rows.getString(1) : "ok";
            if (!first.equals("ok")) {
                throw new StorageCorrupt(
                        "The database " + file + " is damaged (" + first.replaceAll("\\s+", " ")
                                + "); nothing was changed, restore a copy.",
                        null);
            }
        }
    }
}
