package dev.parley.persistence.sqlite.schema;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * Tells sessions apart whose title stands twice, as files older than version 4 allow: the newest keeps it, the others get the
 * next free number (R2).
 */
final class DuplicateTitles {
    private DuplicateTitles() {}

    static void repair(Connection writer, Consumer<String> done) throws SQLException {
        for (Holder older : olderHolders(writer)) {
            String numbered = free(writer, older.title);
            try (PreparedStatement update = writer.prepareStatement("UPDATE sessions SET title = ? WHERE id = ?")) {
                update.setString(1, numbered);
                update.setString(2, older.id);
                update.executeUpdate();
            }
            done.accept("Gave session " + older.id + " the title \"" + numbered + "\": its title stood twice.");
        }
    }

    private record Holder(String id, String title) {}

    private static List<Holder> olderHolders(Connection writer) throws SQLException {
        List<Holder> holders = new ArrayList<>();
        try (Statement statement = writer.createStatement();
                ResultSet rows = statement.executeQuery("""
                        SELECT id, title FROM (
                            SELECT id, title, started_at,
                                row_number() OVER (PARTITION BY title ORDER BY started_at DESC, id DESC) AS place
                            FROM sessions WHERE title IS NOT NULL)
                        WHERE place > 1 ORDER BY title, place""")) {
            while (rows.next()) {
                holders.add(new Holder(rows.getString(1), rows.getString(2)));
            }
        }
        return holders;
    }

    /** Returns the title with the smallest number from 2 that is free; a number it ends in already is replaced. */
    private static String free(Connection writer, String title) throws SQLException {
        String base = title.replaceFirst(" #[0-9]+$", "");
        try (PreparedStatement holders = writer.prepareStatement("SELECT 1 FROM sessions WHERE title = ?")) {
            for (int number = 2; ; number++) {
                String candidate = base + " #" + number;
                holders.setString(1, candidate);
                try (ResultSet row = holders.executeQuery()) {
                    if (!row.next()) {
                        return candidate;
                    }
                }
            }
        }
    }
}
