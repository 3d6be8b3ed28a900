package dev.parley.persistence.sqlite.schema;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * The messages of long sessions that were deleted while the search index still has their texts. Most of the work of deleting a message is
 * SQLite's, which takes its text out of the index; a deletion of many leaves that to later steps, each in a transaction of its own.
 *
 * <p>A table says which messages these are, and in the compact form with which texts, since the index does not keep them. It exists as
 * long as there are any. The index finds such a message by its number alone, which no other message ever gets (storage 1.2), so no
 * search shows it, and a message whose text the index does not have is passed over: after a rebuild there is nothing to do.
 */
public final class RemovedMessages {
    /** The table. */
    static final String TABLE = "parley_removed";

    /** A step takes out no more messages, and a session of no more is deleted in one step. */
    static final int MOST_ROWS = 200;

    /** A step takes out no more text, unless one message has more. */
    static final long MOST_CHARACTERS = 100_000;

    private static final String DELETING = "(" + triggersOfDeletion() + ")";

    private RemovedMessages() {}

    /**
     * Deletes the messages of a session and leaves their texts in the index, inside the caller's transaction.
     *
     * @return whether that was done; it is not where the session is short or the index is not whole
     */
    public static boolean leave(Connection writer, String session) throws SQLException {
        if (!isLong(writer, session)) {
            return false;
        }
        Optional<IndexForm> form = SearchIndex.whole(writer);
        if (form.isEmpty()) {
            return false;
        }
        String texts = form.get() == IndexForm.COMPACT ? "content, tool_name, tool_calls" : "NULL, NULL, NULL";
        List<String> triggers = new ArrayList<>();
        try (Statement statement = writer.createStatement()) {
            statement.execute("CREATE TABLE IF NOT EXISTS " + TABLE
                    + " (id INTEGER PRIMARY KEY, content TEXT, tool_name TEXT, tool_calls TEXT)");
            List<String> names = new ArrayList<>();
            try (ResultSet found = statement.executeQuery(
                    "SELECT name, sql FROM main.sqlite_master WHERE type = 'trigger' AND name COLLATE NOCASE IN "
                            + DELETING)) {
                while (found.next()) {
                    names.add(found.getString(1));
                    triggers.add(found.getString(2));
                }
            }
            for (String name : names) {
                statement.execute("DROP TRIGGER " + name);
            }
        }
        update(
                writer,
                "INSERT OR REPLACE INTO " + TABLE + " SELECT id, " + texts + " FROM messages WHERE session_id = ?",
                session);
        update(writer, "DELETE FROM messages WHERE session_id = ?", session);
        try (Statement statement = writer.createStatement()) {
            for (String trigger : triggers) {
                statement.execute(trigger);
            }
        }
        return true;
    }

    private static String triggersOfDeletion() {
        return SearchIndex.TABLES.stream()
                .map(table -> "'" + table + "_delete'")
                .collect(Collectors.joining(", "));
    }

    private static boolean isLong(Connection writer, String session) throws SQLException {
        try (PreparedStatement statement = writer.prepareStatement("SELECT count(*), sum(length) FROM (SELECT "
                + length() + " AS length FROM messages WHERE session_id = ? LIMIT " + (MOST_ROWS + 1) + ")")) {
            statement.setString(1, session);
            try (ResultSet row = statement.executeQuery()) {
                return row.getLong(1) > MOST_ROWS || row.getLong(2) > MOST_CHARACTERS;
            }
        }
    }

    private static String length() {
        return "coalesce(length(content), 0) + coalesce(length(tool_calls), 0)";
    }

    /** Returns how many messages wait to be taken out. */
    public static long count(Connection connection) throws SQLException {
        if (!exist(connection)) {
            return 0;
        }
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("SELECT count(*) FROM main." + TABLE)) {
            return row.getLong(1);
        }
    }

    /** Returns whether messages wait to be taken out. */
    public static boolean exist(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(
                        "SELECT 1 FROM main.sqlite_master WHERE type = 'table' AND name = '" + TABLE + "'")) {
            return row.next();
        }
    }

    /** Returns the condition that a number of the index is none of such a message, for a file with this structure. */
    public static String isNone(FileStructure found, String number) {
        return found.has(TABLE) ? number + " NOT IN (SELECT id FROM " + TABLE + ")" : "1";
    }

    /**
     * Returns the statement that gives number and text of each such message that an index of the compact form still has, for a file with
     * this structure; absent where there are none.
     */
    public static Optional<String> texts(FileStructure found, String table) {
        return Optional.of(TABLE)
                .filter(found::has)
                .map(removed -> "SELECT r.id, " + IndexForm.COMPACT.textIn(table, "r") + " FROM main." + removed
                        + " r WHERE EXISTS (SELECT 1 FROM main." + table + "_docsize d WHERE d.id = r.id)");
    }

    /**
     * Takes some texts out of the index, inside the caller's transaction. Where the index is not whole it is rebuilt from the messages
     * there are, so nothing is left to take out.
     *
     * @return how many messages are done with; 0 where none is left
     */
    public static int takeOut(Connection writer) throws SQLException {
        if (!exist(writer)) {
            return 0;
        }
        Optional<IndexForm> form = SearchIndex.whole(writer);
        Step step = form.isPresent() ? next(writer) : new Step(0, 0, true);
        if (step.rows() > 0) {
            for (String table : SearchIndex.TABLES) {
                update(writer, takeOutOf(table, form.orElseThrow()), step.last());
            }
            update(writer, "DELETE FROM " + TABLE + " WHERE id <= ?", step.last());
        }
        if (step.isLast()) {
            try (Statement statement = writer.createStatement()) {
                statement.execute("DROP TABLE " + TABLE);
            }
        }
        return step.rows();
    }

    private static String takeOutOf(String table, IndexForm form) {
        return form == IndexForm.SHARED
                ? "DELETE FROM " + table + " WHERE rowid IN (SELECT id FROM " + TABLE + " WHERE id <= ?)"
                : "INSERT INTO " + table + "(" + table + ", rowid, content) SELECT 'delete', r.id, "
                        + form.textIn(table, "r") + " FROM " + TABLE + " r WHERE r.id <= ? AND EXISTS (SELECT 1 FROM "
                        + table + "_docsize d WHERE d.id = r.id)";
    }

    /** The messages of a step: how many, the greatest number among them, and whether none is left behind them. */
    private record Step(int rows, long last, boolean isLast) {}

    private static Step next(Connection writer) throws SQLException {
        int rows = 0;
        long last = 0;
        long characters = 0;
        try (Statement statement = writer.createStatement();
                ResultSet row = statement.executeQuery(
                        "SELECT id, " + length() + " FROM " + TABLE + " ORDER BY id LIMIT " + (MOST_ROWS + 1))) {
            while (row.next()) {
                characters += row.getLong(2);
                if (rows == MOST_ROWS || (rows > 0 && characters > MOST_CHARACTERS)) {
                    return new Step(rows, last, false);
                }
                rows++;
                last = row.getLong(1);
            }
        }
        return new Step(rows, last, true);
    }

    private static void update(Connection writer, String sql, Object value) throws SQLException {
        try (PreparedStatement statement = writer.prepareStatement(sql)) {
            statement.setObject(1, value);
            statement.executeUpdate();
        }
    }
}
