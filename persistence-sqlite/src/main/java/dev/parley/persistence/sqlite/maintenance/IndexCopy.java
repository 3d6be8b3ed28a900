package dev.parley.persistence.sqlite.maintenance;

import dev.parley.application.port.StorageUnavailable;
import dev.parley.persistence.sqlite.connection.SqlErrors;
import dev.parley.persistence.sqlite.schema.FileStructure;
import dev.parley.persistence.sqlite.schema.IndexForm;
import dev.parley.persistence.sqlite.schema.RemovedMessages;
import dev.parley.persistence.sqlite.schema.SearchIndex;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Optional;

/**
 * Compares an index with the texts it should have, term by term and place by place. SQLite does that where it is asked to as a write to
 * the index, which would hold every other writer up for as long as it takes: so it is asked of a copy in temporary tables. Takes as much
 * of the temporary directory as the index has bytes, and no more memory than other reads.
 */
final class IndexCopy {
    private static final String COPY = "copied";
    private static final String TEXTS = "copied_texts";
    private static final String CUT = "copied_cut";
    private static final List<String> TABLES = List.of("data", "idx", "docsize", "config");

    private final Connection connection;
    private final String table;

    private IndexCopy(Connection connection, String table) {
        this.connection = connection;
        this.table = table;
    }

    /** Returns how an index of the compact form differs from the messages; absent where it does not. Leaves temporary tables behind. */
    static Optional<String> difference(Connection connection, FileStructure found, String table) throws SQLException {
        return new IndexCopy(connection, table).compared(textsOfMessages(found, table));
    }

    /**
     * Returns how the substring index of the shared form differs from its own texts; absent where it does not, or where each difference is
     * that a text ends at U+0000. Older releases of SQLite end it there for this index, newer ones read on, and the check of each takes the
     * other's index for malformed wherever a message holds U+0000, as every multimodal one does. How many substrings are noted of a text
     * tells which of both it was. Leaves temporary tables behind.
     */
    static Optional<String> differenceWithoutNul(Connection connection) throws SQLException {
        IndexCopy copy = new IndexCopy(connection, SearchIndex.TRIGRAMS);
        String own = "main." + SearchIndex.TRIGRAMS + "_content";
        String before = "substr(t.c0, 1, instr(t.c0, char(0)) - 1)";
        try (Statement statement = connection.createStatement()) {
            statement.execute(
                    "CREATE VIRTUAL TABLE temp." + CUT + " USING fts5(content" + copy.tokens() + ", content='')");
            statement.execute("INSERT INTO temp." + CUT + "(rowid, content) SELECT t.id, " + before + " FROM " + own
                    + " t WHERE instr(t.c0, char(0))");
        }
        return copy.compared("SELECT t.id AS id, CASE WHEN t.id IN (SELECT c.id FROM temp." + CUT
                + "_docsize c JOIN main." + SearchIndex.TRIGRAMS + "_docsize d ON d.id = c.id AND d.sz = c.sz) THEN "
                + before + " ELSE t.c0 END AS content FROM " + own + " t");
    }

    /** The index has the texts of messages that were deleted a moment ago, too. */
    private static String textsOfMessages(FileStructure found, String table) {
        IndexForm form = IndexForm.COMPACT;
        return "SELECT m.id AS id, " + form.textIn(table, "m") + " AS content FROM main.messages m WHERE "
                + form.coveredBy(table, "m")
                + RemovedMessages.texts(found, table).map(" UNION ALL "::concat).orElse("");
    }

    private String tokens() {
        return table.equals(SearchIndex.TRIGRAMS) ? ", tokenize='trigram'" : "";
    }

    private Optional<String> compared(String texts) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            Optional<String> damage = copied(statement, texts);
            return damage.isPresent() ? damage : asked(statement);
        } catch (SQLException e) {
            if (SqlErrors.isFull(e)) {
                throw StorageUnavailable.outOfSpace(
                        "A check compares a copy of the search index, and the directory for temporary files is too small"
                                + " for it; free some space there, or name another one in SQLITE_TMPDIR.",
                        e);
            }
            throw e;
        }
    }

    private Optional<String> copied(Statement statement, String texts) throws SQLException {
        statement.execute("CREATE TEMP VIEW " + TEXTS + " AS " + texts);
        statement.execute("CREATE VIRTUAL TABLE temp." + COPY + " USING fts5(content, content='" + TEXTS
                + "', content_rowid='id'" + tokens() + ")");
        try {
            for (String each : TABLES) {
                statement.execute("DELETE FROM temp." + COPY + "_" + each);
                statement.execute(
                        "INSERT INTO temp." + COPY + "_" + each + " SELECT * FROM main." + table + "_" + each);
            }
            return Segments.damage(connection, "temp." + COPY + "_data");
        } catch (SQLException e) {
            if (SqlErrors.isFull(e) || !SqlErrors.mayBeIndex(e)) {
                throw e;
            }
            return Optional.of(SqlErrors.detail(e));
        }
    }

    /** Damage of the messages is told by the step that looks at them. */
    private Optional<String> asked(Statement statement) throws SQLException {
        try {
            statement.execute("INSERT INTO temp." + COPY + "(" + COPY + ", rank) VALUES ('integrity-check', 1)");
            return Optional.empty();
        } catch (SQLException e) {
            if (!SqlErrors.isIndexDamaged(e)) {
                throw e;
            }
            return Optional.of(table + " differs from the messages");
        }
    }
}
