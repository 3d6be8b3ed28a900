package dev.parley.persistence.sqlite.maintenance;

import dev.parley.persistence.sqlite.schema.SearchIndex;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/**
 * Tells an index of substrings that another release of SQLite has made from a damaged one. Older releases end a text at U+0000 for
 * this index, newer ones read on, and the check of each takes the other's index for malformed wherever a message holds U+0000, as
 * every multimodal one does.
 */
final class SubstringProbe {
    /** So many of the latest messages are indexed once more for comparison. */
    static final int PROBED = 20_000;

    private static final String TEXT = SearchIndex.indexedText("m");

    private SubstringProbe() {}

    /**
     * Returns whether U+0000 explains why the index is called malformed: there are such messages, and every substring of the
     * latest others is in the index at least as often as it should be. Writes nothing but temporary tables.
     */
    static boolean explains(Connection connection) throws SQLException {
        if (!any(connection, "SELECT 1 FROM main.messages m WHERE instr(" + TEXT + ", char(0)) LIMIT 1")) {
            return false;
        }
        try (Statement statement = connection.createStatement()) {
            statement.execute("CREATE VIRTUAL TABLE temp.probe USING fts5(content, tokenize='trigram', content='')");
            statement.execute("CREATE VIRTUAL TABLE temp.probed USING fts5vocab('temp', 'probe', 'row')");
            statement.execute(
                    "CREATE VIRTUAL TABLE temp.indexed USING fts5vocab('main', '" + SearchIndex.TRIGRAMS + "', 'row')");
            try {
                statement.execute("INSERT INTO temp.probe(rowid, content) SELECT m.id, " + TEXT
                        + " FROM main.messages m WHERE instr(" + TEXT + ", char(0)) = 0 ORDER BY m.id DESC LIMIT "
                        + PROBED);
                return !any(
                        connection,
                        "SELECT 1 FROM temp.probed p LEFT JOIN temp.indexed i ON i.term = p.term"
                                + " WHERE i.doc IS NULL OR i.doc < p.doc LIMIT 1");
            } finally {
                for (String table : new String[] {"indexed", "probed", "probe"}) {
                    statement.execute("DROP TABLE temp." + table);
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
