package dev.parley.persistence.sqlite.schema;

import dev.parley.persistence.sqlite.connection.SqlErrors;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongConsumer;
import java.util.stream.Stream;

/**
 * The two full-text tables and their six triggers (storage 1.4). Whether the index is whole is decided by structure: a
 * missing trigger, or the mark of a rebuild under way, means that rows may be missing, so search does without the index until it
 * is rebuilt (R4).
 */
public final class SearchIndex {
    /** The index of words. */
    public static final String WORDS = "messages_fts";
    /** The index of substrings. */
    public static final String TRIGRAMS = "messages_fts_trigram";

    /** Both tables. */
    public static final List<String> TABLES = List.of(WORDS, TRIGRAMS);

    /** So many messages are looked at from each end, where counting does not tell whether all are indexed. */
    private static final int LOOKED_AT = 200;

    private SearchIndex() {}

    /** Returns the indexed text of a message, as an SQL expression over the columns of {@code row}. */
    public static String indexedText(String row) {
        return "COALESCE(" + row + ".content, '') || ' ' || COALESCE(" + row + ".tool_name, '') || ' ' || COALESCE("
                + row + ".tool_calls, '')";
    }

    /** Returns the names of the six triggers. */
    static List<String> triggers() {
        return TABLES.stream().flatMap(SearchIndex::triggers).toList();
    }

    /** Returns the names of the triggers of a table. */
    static Stream<String> triggers(String table) {
        return Stream.of("insert", "delete", "update").map(event -> table + "_" + event);
    }

    /**
     * Returns whether a statement, or the commit of what it wrote, may have failed on the index and not on what was to be written.
     * SQLite reports damage of the index in many ways, among them as damage of the file, as a rule broken by a row without a name,
     * and as a missing table, so this is certain only where the same write succeeds once the index is set aside.
     */
    public static boolean isBroken(SQLException failure) {
        return SqlErrors.mayBeIndex(failure);
    }

    /**
     * Takes the index out of the way of writes: drops the triggers, also those that other versions gave other names, inside the caller's
     * transaction, which has not written messages yet. Until the index is rebuilt from the messages, searches read these.
     */
    public static void setAside(Connection writer) throws SQLException {
        List<String> triggers = new ArrayList<>(triggers());
        try (Statement statement = writer.createStatement()) {
            try (ResultSet others = statement.executeQuery("SELECT name FROM main.sqlite_master WHERE type = 'trigger'"
                    + " AND tbl_name = 'messages' COLLATE NOCASE AND sql LIKE '%" + WORDS + "%'")) {
                while (others.next()) {
                    triggers.add("\"" + others.getString(1).replace("\"", "\"\"") + "\"");
                }
            }
            for (String trigger : triggers) {
                statement.execute("DROP TRIGGER IF EXISTS " + trigger);
            }
        }
    }

    /**
     * Removes the entries of the index from the list of tables that SQLite cannot read, in a transaction of its own; does nothing where the
     * failure is another one. Pages of a table that is removed so belong to nothing until the file is compacted.
     *
     * @throws SQLException where other entries cannot be read either; the list is as it was then
     */
    public static void forgetUnreadable(Connection writer, SQLException failure) throws SQLException {
        Optional<String> entry = SqlErrors.unreadableIndexEntry(failure);
        if (entry.isEmpty()) {
            return;
        }
        try (Statement statement = writer.createStatement()) {
            statement.execute("PRAGMA writable_schema = ON");
            try {
                statement.execute("BEGIN IMMEDIATE");
                try {
                    forgetAll(writer, statement, entry.get(), failure);
                    statement.execute("COMMIT");
                } catch (SQLException e) {
                    statement.execute("ROLLBACK");
                    throw e;
                }
            } finally {
                statement.execute("PRAGMA writable_schema = RESET");
            }
        }
    }

    private static void forgetAll(Connection writer, Statement statement, String first, SQLException why)
            throws SQLException {
        Optional<String> entry = Optional.of(first);
        SQLException unread = why;
        while (entry.isPresent()) {
            try (PreparedStatement delete =
                    writer.prepareStatement("DELETE FROM sqlite_master WHERE name = ? COLLATE NOCASE")) {
                delete.setString(1, entry.get());
                if (delete.executeUpdate() == 0) {
                    throw unread;
                }
            }
            Optional<SQLException> next = unreadable(statement);
            if (next.isEmpty()) {
                break;
            }
            unread = next.get();
            entry = SqlErrors.unreadableIndexEntry(unread);
            if (entry.isEmpty()) {
                throw unread;
            }
        }
        statement.execute("PRAGMA main.schema_version = " + (number(writer, "PRAGMA main.schema_version") + 1));
    }

    /** Reads the list of tables anew; returns what SQLite says where it cannot. */
    private static Optional<SQLException> unreadable(Statement statement) throws SQLException {
        statement.execute("PRAGMA writable_schema = RESET");
        try {
            statement.executeQuery("SELECT count(*) FROM main.sqlite_master").close();
            return Optional.empty();
        } catch (SQLException e) {
            return Optional.of(e);
        } finally {
            statement.execute("PRAGMA writable_schema = ON");
        }
    }

    /**
     * Makes the index anew from the messages, inside the caller's transaction (migration 11).
     *
     * @param rows told how many messages are indexed so far
     */
    public static void rebuild(Connection writer, IndexForm form, LongConsumer rows) throws SQLException {
        IndexRebuild rebuild = IndexRebuild.begin(writer, form);
        while (!rebuild.isDone()) {
            long before = rebuild.rows();
            boolean filling = !rebuild.isWhole();
            rebuild.step(writer, IndexRebuild.MOST_ROWS);
            if (filling && rebuild.isWhole()) {
                for (String damaged : IndexRebuild.damagedLeftovers(writer)) {
                    IndexRebuild.giveUp(writer, damaged);
                }
            }
            if (rebuild.rows() > before) {
                rows.accept(rebuild.rows());
            }
        }
    }

    /** Returns the form of the index that a connection sees, so may ask; absent where it is not whole. */
    public static Optional<IndexForm> whole(Connection connection) throws SQLException {
        Map<String, String> objects = objects(connection);
        return Optional.of(IndexForm.of(objects)).filter(form -> isWhole(objects));
    }

    /**
     * Returns whether a whole index of this form has as many messages as there are. Of the index of substrings in the compact form, which
     * has some messages only, it looks at the first and the last ones. So an index is noticed that lacks messages without being damaged,
     * such as one that other software made anew and did not fill.
     *
     * <p>True for a file of a later version, which may index what it wants, and where the index cannot be read: a search finds that.
     */
    public static boolean hasEveryMessage(Connection connection, IndexForm form) throws SQLException {
        try {
            boolean complete = hasAll(connection, WORDS)
                    && (form == IndexForm.SHARED
                            ? hasAll(connection, TRIGRAMS)
                            : hasEnd(connection, "ASC") && hasEnd(connection, "DESC"));
            return complete || FileStructure.read(connection).isNewer();
        } catch (SQLException e) {
            if (isBroken(e)) {
                return true;
            }
            throw e;
        }
    }

    private static boolean hasAll(Connection connection, String table) throws SQLException {
        return number(
                        connection,
                        "SELECT (SELECT count(*) FROM main." + table
                                + "_docsize) - (SELECT count(*) FROM main.messages)")
                == RemovedMessages.count(connection);
    }

    private static boolean hasEnd(Connection connection, String order) throws SQLException {
        return number(
                        connection,
                        "SELECT count(*) FROM (SELECT id, content, tool_name, tool_calls FROM main.messages ORDER BY id "
                                + order + " LIMIT " + LOOKED_AT + ") m LEFT JOIN main." + TRIGRAMS
                                + "_docsize d ON d.id = m.id WHERE d.id IS NULL AND "
                                + IndexForm.COMPACT.coveredBy(TRIGRAMS, "m"))
                == 0;
    }

    private static long number(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(sql)) {
            return row.getLong(1);
        }
    }

    /** Returns the form of the index that a connection sees, or is nearest to. */
    public static IndexForm form(Connection connection) throws SQLException {
        return IndexForm.of(objects(connection));
    }

    private static Map<String, String> objects(Connection connection) throws SQLException {
        Map<String, String> objects = new HashMap<>();
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("SELECT name, sql FROM main.sqlite_master WHERE (name GLOB '"
                        + WORDS + "*' OR name GLOB 'parley_*') AND sql IS NOT NULL")) {
            while (rows.next()) {
                objects.put(rows.getString(1).toLowerCase(Locale.ROOT), rows.getString(2));
            }
        }
        return objects;
    }

    /** Returns whether the declared objects of the index are all there in one of its forms. */
    static boolean isWhole(Map<String, String> objects) {
        return !IndexRebuild.isUnderWay(objects) && IndexForm.of(objects).isWhole(objects);
    }

    /** Returns whether the tables are absent or of a form that is known, so may be made anew. */
    public static boolean isKnown(Map<String, String> objects) {
        return TABLES.stream().allMatch(table -> IndexForm.isKnown(objects.get(table)));
    }
}
