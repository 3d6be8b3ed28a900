package dev.parley.persistence.sqlite.schema;

import dev.parley.persistence.sqlite.connection.SqlErrors;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongConsumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The two full-text tables and their six triggers (storage 1.4). Whether the index is whole is decided by structure: a
 * missing trigger means that rows may be missing, so search does without the index until it is rebuilt (R4).
 */
public final class SearchIndex {
    /** The index of words. */
    public static final String WORDS = "messages_fts";
    /** The index of substrings. */
    public static final String TRIGRAMS = "messages_fts_trigram";

    /** Both tables. */
    public static final List<String> TABLES = List.of(WORDS, TRIGRAMS);

    private static final List<String> SHADOWS = List.of("data", "idx", "content", "docsize", "config");
    private static final long CHUNK = 5_000;

    private SearchIndex() {}

    /** Returns the indexed text of a message, as an SQL expression over the columns of {@code row}. */
    public static String indexedText(String row) {
        return "COALESCE(" + row + ".content, '') || ' ' || COALESCE(" + row + ".tool_name, '') || ' ' || COALESCE("
                + row + ".tool_calls, '')";
    }

    /** Returns the names of the six triggers. */
    static List<String> triggers() {
        return TABLES.stream()
                .flatMap(table -> Stream.of("insert", "delete", "update").map(event -> table + "_" + event))
                .toList();
    }

    /**
     * Returns whether a statement, or the commit of what it wrote, may have failed on the index and not on what was to be written.
     * SQLite reports some damages of the index like damages of the file, so this is certain only where the same write succeeds
     * once the index is set aside.
     */
    public static boolean isBroken(SQLException failure) {
        return SqlErrors.isIndexDamaged(failure) || SqlErrors.isDamaged(failure);
    }

    /**
     * Takes the index out of the way of writes: drops the triggers, inside the caller's transaction, which has not written messages
     * yet. The next opening for writing, or a repair, rebuilds the index from the messages.
     */
    public static void setAside(Connection writer) throws SQLException {
        try (Statement statement = writer.createStatement()) {
            for (String trigger : triggers()) {
                statement.execute("DROP TRIGGER IF EXISTS " + trigger);
            }
        }
    }

    /**
     * Makes the index anew from the messages, inside the caller's transaction (migration 11).
     *
     * @param rows told how many messages are indexed so far
     */
    public static void rebuild(Connection writer, LongConsumer rows) throws SQLException {
        setAside(writer);
        for (String table : TABLES) {
            drop(writer, table);
        }
        try (Statement statement = writer.createStatement()) {
            statement.execute("CREATE VIRTUAL TABLE " + WORDS + " USING fts5(\n    content\n)");
            statement.execute(
                    "CREATE VIRTUAL TABLE " + TRIGRAMS + " USING fts5(\n    content,\n    tokenize='trigram'\n)");
        }
        fill(writer, rows);
        try (Statement statement = writer.createStatement()) {
            for (String table : TABLES) {
                for (String trigger : createTriggers(table)) {
                    statement.execute(trigger);
                }
            }
        }
    }

    private static void fill(Connection writer, LongConsumer rows) throws SQLException {
        long done = 0;
        Optional<Chunk> next = chunkAfter(writer, Long.MIN_VALUE);
        while (next.isPresent()) {
            Chunk chunk = next.get();
            try (Statement statement = writer.createStatement()) {
                for (String table : TABLES) {
                    statement.execute("INSERT INTO " + table + "(rowid, content) SELECT m.id, " + indexedText("m")
                            + " FROM messages m WHERE m.id > " + chunk.after + " AND m.id <= " + chunk.last
                            + " ORDER BY m.id");
                }
            }
            done += chunk.rows;
            rows.accept(done);
            next = chunkAfter(writer, chunk.last);
        }
    }

    /** Some messages in a row, so that whoever waits hears of progress. */
    private record Chunk(long after, long last, long rows) {}

    private static Optional<Chunk> chunkAfter(Connection writer, long after) throws SQLException {
        try (Statement statement = writer.createStatement();
                ResultSet row =
                        statement.executeQuery("SELECT max(id), count(*) FROM (SELECT id FROM messages WHERE id > "
                                + after + " ORDER BY id LIMIT " + CHUNK + ")")) {
            Chunk chunk = new Chunk(after, row.getLong(1), row.getLong(2));
            return chunk.rows == 0 ? Optional.empty() : Optional.of(chunk);
        }
    }

    /** The update triggers name the indexed columns: the same rows as an update of any column gives, for less work. */
    private static List<String> createTriggers(String table) {
        String insert = "INSERT INTO " + table + "(rowid, content) VALUES (\n        new.id,\n        "
                + indexedText("new") + "\n    );\n";
        String delete = "DELETE FROM " + table + " WHERE rowid = old.id;\n";
        return List.of(
                "CREATE TRIGGER " + table + "_insert AFTER INSERT ON messages BEGIN\n    " + insert + "END",
                "CREATE TRIGGER " + table + "_delete AFTER DELETE ON messages BEGIN\n    " + delete + "END",
                "CREATE TRIGGER " + table
                        + "_update AFTER UPDATE OF id, content, tool_name, tool_calls ON messages BEGIN\n    " + delete
                        + "    " + insert + "END");
    }

    /** Drops a full-text table, also one so broken that SQLite cannot open it in order to drop it. */
    private static void drop(Connection writer, String table) throws SQLException {
        try (Statement statement = writer.createStatement()) {
            statement.execute("DROP TABLE IF EXISTS " + table);
            return;
        } catch (SQLException unopenable) {
            if (!isBroken(unopenable)) {
                throw unopenable;
            }
        }
        try (Statement statement = writer.createStatement()) {
            statement.execute("PRAGMA writable_schema = ON");
            try {
                statement.execute("DELETE FROM sqlite_master WHERE type = 'table' AND name = '" + table + "'");
            } finally {
                statement.execute("PRAGMA writable_schema = RESET");
            }
            for (String shadow : SHADOWS) {
                statement.execute("DROP TABLE IF EXISTS " + table + "_" + shadow);
            }
        }
    }

    /** Returns whether a connection sees both tables and all triggers in the form of version 11, so may ask the index. */
    public static boolean isWhole(Connection connection) throws SQLException {
        Map<String, String> objects = new HashMap<>();
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("SELECT name, sql FROM main.sqlite_master WHERE name GLOB '"
                        + WORDS + "*' AND sql IS NOT NULL")) {
            while (rows.next()) {
                objects.put(rows.getString(1), rows.getString(2));
            }
        }
        return isWhole(objects);
    }

    /** Returns whether the declared objects of the index are all there in the form of version 11. */
    static boolean isWhole(Map<String, String> objects) {
        return TABLES.stream().allMatch(table -> isInline(objects.get(table)))
                && triggers().stream().allMatch(trigger -> covers(objects.get(trigger)));
    }

    static boolean isInline(@Nullable String sql) {
        return sql != null && !compact(sql).contains("content=");
    }

    private static boolean covers(@Nullable String sql) {
        return sql != null && (compact(sql).contains("tool_name") || isPlainDelete(sql));
    }

    private static boolean isPlainDelete(String sql) {
        String text = compact(sql);
        return text.contains("afterdeleteon") && text.contains("deletefrom");
    }

    private static String compact(String sql) {
        return sql.toLowerCase(Locale.ROOT).replaceAll("\\s+", "");
    }
}
