package dev.parley.persistence.sqlite.search;

import dev.parley.persistence.sqlite.schema.FileStructure;
import dev.parley.persistence.sqlite.schema.IndexForm;
import dev.parley.persistence.sqlite.schema.SearchIndex;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.sqlite.SQLiteErrorCode;
import org.sqlite.SQLiteException;

/** Indexes some messages once more, in a temporary table, to see whether they match as an index says. */
final class Reindexed {
    private static final String TABLE = "temp.parley_doubted";
    private static final int AT_ONCE = 500;

    private Reindexed() {}

    /**
     * Does nothing where each of these messages matches, or where the index has a form of its own, so that only it knows.
     *
     * @throws SQLException damage of the index, where one does not match
     */
    static void requireMatches(Connection connection, String table, String match, List<Long> rows) throws SQLException {
        FileStructure found = FileStructure.read(connection);
        if (!SearchIndex.isKnown(found.objects())) {
            return;
        }
        String tokens = table.equals(SearchIndex.TRIGRAMS) ? ", tokenize='trigram'" : "";
        try (Statement statement = connection.createStatement()) {
            statement.execute("CREATE VIRTUAL TABLE " + TABLE + " USING fts5(content" + tokens + ", content='')");
            try {
                for (int i = 0; i < rows.size(); i += AT_ONCE) {
                    List<Long> some = rows.subList(i, Math.min(rows.size(), i + AT_ONCE));
                    fill(connection, texts(found, table, some.size()), some);
                }
                if (!matching(connection, match).containsAll(rows)) {
                    throw wrongHit();
                }
            } finally {
                statement.execute("DROP TABLE " + TABLE);
            }
        }
    }

    /** Returns what a search throws that has met a hit which does not match: damage of the index, which SQLite did not notice. */
    static SQLException wrongHit() {
        return new SQLiteException(
                "the search index gives messages that do not match", SQLiteErrorCode.SQLITE_CORRUPT_VTAB);
    }

    /** A later version may index other texts of a message; the shared form has a copy of what was indexed. */
    private static String texts(FileStructure found, String table, int count) {
        String among = " IN (" + String.join(", ", Collections.nCopies(count, "?")) + ")";
        IndexForm form = found.indexForm();
        return found.isNewer() && form == IndexForm.SHARED
                ? "SELECT f.rowid, f.content FROM main." + table + " f WHERE f.rowid" + among
                : "SELECT m.id, " + form.textIn(table, "m") + " FROM main.messages m WHERE m.id" + among;
    }

    private static void fill(Connection connection, String texts, List<Long> rows) throws SQLException {
        try (PreparedStatement insert =
                connection.prepareStatement("INSERT INTO " + TABLE + " (rowid, content) " + texts)) {
            for (int i = 0; i < rows.size(); i++) {
                insert.setLong(i + 1, rows.get(i));
            }
            insert.executeUpdate();
        }
    }

    private static Set<Long> matching(Connection connection, String match) throws SQLException {
        Set<Long> matching = new HashSet<>();
        try (PreparedStatement asked =
                connection.prepareStatement("SELECT rowid FROM " + TABLE + " WHERE parley_doubted MATCH ?")) {
            asked.setString(1, match);
            try (ResultSet rows = asked.executeQuery()) {
                while (rows.next()) {
                    matching.add(rows.getLong(1));
                }
            }
        }
        return matching;
    }
}
