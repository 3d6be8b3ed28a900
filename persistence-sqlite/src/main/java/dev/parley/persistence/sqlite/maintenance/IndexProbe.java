package dev.parley.persistence.sqlite.maintenance;

import dev.parley.persistence.sqlite.schema.IndexForm;
import dev.parley.persistence.sqlite.schema.SearchIndex;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;

/**
 * Looks into an index by indexing the latest messages once more: every term must be in the index at least as often as there. Writes
 * nothing but temporary tables.
 *
 * <p>So a substring index that another release of SQLite has made is told from a damaged one. Older releases end a text at U+0000
 * for this index, newer ones read on, and the check of each takes the other's index for malformed wherever a message holds U+0000,
 * as every multimodal one does.
 */
final class IndexProbe {
    /** So many of the latest messages are indexed once more for comparison. */
    static final int PROBED = 20_000;

    private IndexProbe() {}

    /**
     * Returns whether U+0000 explains why the substring index is called malformed: it is of the form in which a text may hold that,
     * there are such messages, and every substring of the latest others is in the index at least as often as it should be.
     */
    static boolean explains(Connection connection) throws SQLException {
        String holdsNul = "instr(" + SearchIndex.indexedText("m") + ", char(0))";
        return SearchIndex.form(connection) == IndexForm.SHARED
                && any(connection, "SELECT 1 FROM main.messages m WHERE " + holdsNul + " LIMIT 1")
                && isComplete(connection, IndexForm.SHARED, SearchIndex.TRIGRAMS, holdsNul + " = 0");
    }

    /** Returns whether an index of this form has every term of the latest messages at least as often as it should. */
    static boolean isComplete(Connection connection, IndexForm form, String table) throws SQLException {
        return isComplete(connection, form, table, "1");
    }

    private static boolean isComplete(Connection connection, IndexForm form, String table, String only)
            throws SQLException {
        String tokens = table.equals(SearchIndex.TRIGRAMS) ? ", tokenize='trigram'" : "";
        try (Statement statement = connection.createStatement()) {
            statement.execute("CREATE VIRTUAL TABLE temp.probe USING fts5(content" + tokens + ", content='')");
            statement.execute("CREATE VIRTUAL TABLE temp.probed USING fts5vocab('temp', 'probe', 'row')");
            statement.execute("CREATE VIRTUAL TABLE temp.indexed USING fts5vocab('main', '" + table + "', 'row')");
            try {
                statement.execute("INSERT INTO temp.probe(rowid, content) SELECT m.id, " + form.textIn(table, "m")
                        + " FROM main.messages m WHERE " + only + " AND " + form.coveredBy(table, "m")
                        + " ORDER BY m.id DESC LIMIT " + PROBED);
                return !any(
                        connection,
                        "SELECT 1 FROM temp.probed p LEFT JOIN temp.indexed i ON i.term = p.term"
                                + " WHERE i.doc IS NULL OR i.doc < p.doc LIMIT 1");
            } finally {
                for (String made : List.of("indexed", "probed", "probe")) {
                    statement.execute("DROP TABLE temp." + made);
                }
            }
        }
    }

    private static boolean any(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(sql)) {
            return row.next();
        }
    }
}
