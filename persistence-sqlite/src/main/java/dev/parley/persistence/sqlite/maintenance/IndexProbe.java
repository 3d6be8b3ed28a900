package dev.parley.persistence.sqlite.maintenance;

import dev.parley.persistence.sqlite.connection.ReadWork;
import dev.parley.persistence.sqlite.schema.IndexForm;
import dev.parley.persistence.sqlite.schema.SearchIndex;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.OptionalLong;

/**
 * Looks into an index by indexing the latest messages once more, some at a time: among these, every term must be in the index as often as
 * there. Writes nothing but temporary tables.
 *
 * <p>So a substring index that another release of SQLite has made is told from a damaged one. Older releases end a text at U+0000
 * for this index, newer ones read on, and the check of each takes the other's index for malformed wherever a message holds U+0000,
 * as every multimodal one does.
 */
final class IndexProbe {
    /** No more messages are probed once so many terms have been looked up. */
    private static final long MOST_TERMS = 100_000;

    /** So many messages are indexed once more in one step: the more, the more of their words are the same. */
    private static final int WORDS_TOGETHER = 2_000;

    /** Of substrings each message has about as many as characters, and few twice. */
    private static final int SUBSTRINGS_TOGETHER = 200;

    private static final String HOLDS_NUL = "instr(" + SearchIndex.indexedText("m") + ", char(0))";

    private final IndexForm form;
    private final String table;
    private final String only;

    private IndexProbe(IndexForm form, String table, String only) {
        this.form = form;
        this.table = table;
        this.only = only;
    }

    /** Runs each step on a state of the file of its own. */
    @FunctionalInterface
    interface Steps {
        /** Runs the work on one state of the file. */
        <T> T run(ReadWork<T> work);
    }

    /** What a step found: the smallest number probed, absent where no message was left; how many terms; whether all were there. */
    private record Probed(OptionalLong lowest, long terms, boolean complete) {}

    /**
     * Returns whether U+0000 explains why the substring index is called malformed: it is of the form in which a text may hold that,
     * there are such messages, and the latest others have every substring in the index.
     */
    static boolean explains(Steps steps) {
        boolean holdsNul = steps.run(connection -> SearchIndex.form(connection) == IndexForm.SHARED
                && any(connection, "SELECT 1 FROM main.messages m WHERE " + HOLDS_NUL + " LIMIT 1"));
        return holdsNul && new IndexProbe(IndexForm.SHARED, SearchIndex.TRIGRAMS, HOLDS_NUL + " = 0").isComplete(steps);
    }

    /** Returns whether an index of this form has every term of the latest messages. */
    static boolean isComplete(Steps steps, IndexForm form, String table) {
        return new IndexProbe(form, table, "1").isComplete(steps);
    }

    private boolean isComplete(Steps steps) {
        OptionalLong below = OptionalLong.of(Long.MAX_VALUE);
        long terms = 0;
        while (below.isPresent() && terms < MOST_TERMS) {
            long before = below.getAsLong();
            Probed probed = steps.run(connection -> probe(connection, before));
            if (!probed.complete()) {
                return false;
            }
            terms += probed.terms();
            below = probed.lowest();
        }
        return true;
    }

    private Probed probe(Connection connection, long below) throws SQLException {
        String tokens = table.equals(SearchIndex.TRIGRAMS) ? ", tokenize='trigram'" : "";
        try (Statement statement = connection.createStatement()) {
            statement.execute("CREATE VIRTUAL TABLE temp.probe USING fts5(content" + tokens + ", content='')");
            statement.execute("CREATE VIRTUAL TABLE temp.probed USING fts5vocab('temp', 'probe', 'row')");
            statement.execute("CREATE VIRTUAL TABLE temp.indexed USING fts5vocab('main', '" + table + "', 'row')");
            try {
                return compare(connection, below);
            } finally {
                for (String made : List.of("indexed", "probed", "probe")) {
                    statement.execute("DROP TABLE temp." + made);
                }
            }
        }
    }

    private Probed compare(Connection connection, long below) throws SQLException {
        try (PreparedStatement fill = connection.prepareStatement(
                "INSERT INTO temp.probe(rowid, content) SELECT m.id, " + form.textIn(table, "m")
                        + " FROM main.messages m WHERE m.id < ? AND " + only + " AND " + form.coveredBy(table, "m")
                        + " ORDER BY m.id DESC LIMIT "
                        + (table.equals(SearchIndex.TRIGRAMS) ? SUBSTRINGS_TOGETHER : WORDS_TOGETHER))) {
            fill.setLong(1, below);
            fill.executeUpdate();
        }
        long lowest;
        long highest;
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("SELECT min(id), max(id) FROM temp.probe_docsize")) {
            lowest = row.getLong(1);
            highest = row.getLong(2);
            if (row.wasNull()) {
                return new Probed(OptionalLong.empty(), 0, true);
            }
        }
        long terms = 0;
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("SELECT term, doc FROM temp.probed");
                PreparedStatement found = connection.prepareStatement("SELECT count(*) FROM main." + table + " WHERE "
                        + table + " MATCH ? AND rowid BETWEEN ? AND ?")) {
            found.setLong(2, lowest);
            found.setLong(3, highest);
            while (row.next()) {
                String term = row.getString(1);
                terms++;
                if (!isThere(connection, found, term, row.getLong(2))) {
                    return new Probed(OptionalLong.of(lowest), terms, false);
                }
            }
        }
        return new Probed(OptionalLong.of(lowest), terms, true);
    }

    /** A term that is read as another one in a query is counted in the whole index instead. */
    private static boolean isThere(Connection connection, PreparedStatement found, String term, long times)
            throws SQLException {
        String query = '"' + term.replace("\"", "\"\"") + '"';
        if (term.indexOf('\0') < 0) {
            found.setString(1, query);
            if (count(found) >= times) {
                return true;
            }
            try (PreparedStatement same =
                    connection.prepareStatement("SELECT count(*) FROM temp.probe WHERE probe MATCH ?")) {
                same.setString(1, query);
                if (count(same) == times) {
                    return false;
                }
            }
        }
        try (PreparedStatement indexed =
                connection.prepareStatement("SELECT coalesce(sum(doc), 0) FROM temp.indexed WHERE term = ?")) {
            indexed.setString(1, term);
            return count(indexed) >= times;
        }
    }

    private static long count(PreparedStatement statement) throws SQLException {
        try (ResultSet row = statement.executeQuery()) {
            return row.getLong(1);
        }
    }

    private static boolean any(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(sql)) {
            return row.next();
        }
    }
}
