package dev.parley.persistence.sqlite.schema;

import dev.parley.persistence.sqlite.connection.SqlErrors;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Makes the search index anew in steps, each inside a transaction of the caller's, so that others write between them. A table
 * says that it is under way and how far; where that table is found, the rebuild goes on, whoever began it. Meanwhile the triggers
 * heed the messages that are indexed already and those that came since the beginning.
 *
 * <p>The tables there were are put aside first, which takes no longer for a large index than for a small one, and are emptied
 * step by step. An index so broken that SQLite cannot open it goes the same way.
 */
public final class IndexRebuild {
    /** More messages are not indexed in one step. */
    public static final long MOST_ROWS = 5_000;

    private static final String STATE = "parley_rebuild";
    private static final String DISCARDED = "parley_discarded_";
    private static final String HEEDED =
            "EXISTS (SELECT 1 FROM " + STATE + " s WHERE row.id <= s.through OR row.id > s.top)";
    private static final List<String> LARGE = List.of("data", "content", "docsize");
    private static final List<String> SMALL = List.of("idx", "config");

    private final IndexForm form;
    private long through;
    private final long top;
    private long rows;
    private boolean filled;
    private boolean done;

    private IndexRebuild(IndexForm form, long through, long top) {
        this.form = form;
        this.through = through;
        this.top = top;
    }

    static boolean isUnderWay(Map<String, String> objects) {
        return objects.containsKey(STATE);
    }

    /** Returns whether something of a former index waits to be emptied. */
    static boolean hasLeftovers(Map<String, String> objects) {
        return objects.keySet().stream().anyMatch(IndexRebuild::isLeftover);
    }

    /** Returns whether a table is part of a former index and waits to be emptied. */
    public static boolean isLeftover(String table) {
        return table.startsWith(DISCARDED);
    }

    /** Puts the index aside and begins a new one in this form, inside the caller's transaction. */
    public static IndexRebuild begin(Connection writer, IndexForm form) throws SQLException {
        SearchIndex.setAside(writer);
        try (Statement statement = writer.createStatement()) {
            statement.execute("PRAGMA legacy_alter_table = ON");
            drop(writer, STATE);
            drop(writer, RemovedMessages.TABLE);
            for (String table : SearchIndex.TABLES) {
                discard(writer, statement, table);
            }
            for (String view : IndexForm.VIEWS) {
                drop(writer, view);
            }
            for (String table : SearchIndex.TABLES) {
                execute(statement, form.create(table));
            }
            statement.execute(
                    "CREATE TABLE " + STATE + " (form TEXT NOT NULL, through INTEGER NOT NULL, top INTEGER NOT NULL)");
            statement.execute("INSERT INTO " + STATE + " SELECT '" + form + "', coalesce(min(id), 1) - 1,"
                    + " coalesce(max(id), 0) FROM messages");
            for (String table : SearchIndex.TABLES) {
                execute(statement, form.createTriggers(table, HEEDED));
            }
        }
        return resume(writer);
    }

    /**
     * Returns the rebuild that is under way, or that only has to be tidied up after, inside the caller's transaction; one that is
     * done where neither is.
     */
    public static IndexRebuild resume(Connection writer) throws SQLException {
        FileStructure found = FileStructure.read(writer);
        if (!isUnderWay(found.objects())) {
            IndexRebuild rebuild = new IndexRebuild(IndexForm.of(found.objects()), 0, 0);
            rebuild.filled = true;
            rebuild.done = !hasLeftovers(found.objects());
            return rebuild;
        }
        Optional<IndexRebuild> underWay = underWay(writer);
        return underWay.isPresent() ? underWay.get() : begin(writer, IndexForm.of(found.objects()));
    }

    /** Returns what the table of the state says; absent where that is nothing. */
    private static Optional<IndexRebuild> underWay(Connection writer) throws SQLException {
        try (Statement statement = writer.createStatement();
                ResultSet row = statement.executeQuery("SELECT form, through, top FROM " + STATE)) {
            if (!row.next()) {
                return Optional.empty();
            }
            String form = row.getString(1);
            long through = row.getLong(2);
            long top = row.getLong(3);
            return Stream.of(IndexForm.values())
                    .filter(known -> known.name().equals(form))
                    .findFirst()
                    .map(known -> new IndexRebuild(known, through, top));
        } catch (SQLException e) {
            if (SqlErrors.isRefusedStatement(e)) {
                return Optional.empty();
            }
            throw e;
        }
    }

    /** Returns whether nothing is left to do. */
    public boolean isDone() {
        return done;
    }

    /** Returns whether every message is indexed. */
    public boolean isWhole() {
        return filled;
    }

    /** Returns how many messages this has indexed. */
    public long rows() {
        return rows;
    }

    /**
     * Does one step inside the caller's transaction: indexes up to so many messages, or empties as much of what was put aside.
     * Where the transaction is taken back, the rebuild goes on from {@link #resume}.
     */
    public void step(Connection writer, long most) throws SQLException {
        if (filled) {
            tidy(writer, most);
        } else {
            fill(writer, most);
        }
    }

    private void fill(Connection writer, long most) throws SQLException {
        long last = through;
        long count = 0;
        try (PreparedStatement chunk = writer.prepareStatement("SELECT max(id), count(*) FROM (SELECT id FROM messages"
                + " WHERE id > ? AND id <= ? ORDER BY id LIMIT ?)")) {
            chunk.setLong(1, through);
            chunk.setLong(2, top);
            chunk.setLong(3, most);
            try (ResultSet row = chunk.executeQuery()) {
                count = row.getLong(2);
                last = count == 0 ? top : row.getLong(1);
            }
        }
        if (count == 0) {
            finish(writer);
            return;
        }
        for (String table : SearchIndex.TABLES) {
            try (PreparedStatement fill = writer.prepareStatement(form.fill(table))) {
                fill.setLong(1, through);
                fill.setLong(2, last);
                fill.executeUpdate();
            }
        }
        try (PreparedStatement state = writer.prepareStatement("UPDATE " + STATE + " SET through = ?")) {
            state.setLong(1, last);
            state.executeUpdate();
        }
        through = last;
        rows += count;
        if (count < most) {
            finish(writer);
        }
    }

    private void finish(Connection writer) throws SQLException {
        SearchIndex.setAside(writer);
        try (Statement statement = writer.createStatement()) {
            for (String table : SearchIndex.TABLES) {
                execute(statement, form.createTriggers(table, ""));
            }
            statement.execute("DROP TABLE " + STATE);
        }
        filled = true;
        done = discarded(writer).isEmpty();
    }

    /** Empties what was put aside a little, and drops what is empty. */
    private void tidy(Connection writer, long most) throws SQLException {
        List<String> tables = discarded(writer);
        if (tables.isEmpty()) {
            done = true;
            return;
        }
        String table = tables.get(0);
        try (Statement statement = writer.createStatement()) {
            int deleted = statement.executeUpdate(
                    "DELETE FROM " + table + " WHERE rowid IN (SELECT rowid FROM " + table + " LIMIT " + most + ")");
            if (deleted < most) {
                statement.execute("DROP TABLE " + table);
                done = tables.size() == 1;
            }
        }
    }

    private static List<String> discarded(Connection writer) throws SQLException {
        List<String> names = new ArrayList<>();
        try (Statement statement = writer.createStatement();
                ResultSet found = statement.executeQuery(
                        "SELECT name FROM sqlite_master WHERE type = 'table' AND name GLOB '" + DISCARDED + "*'")) {
            while (found.next()) {
                names.add(found.getString(1));
            }
        }
        return names;
    }

    /** Drops a full-text table, also one so broken that SQLite cannot open it in order to drop it, but keeps what is large of it. */
    private static void discard(Connection writer, Statement statement, String table) throws SQLException {
        FileStructure found = FileStructure.read(writer);
        int number = 1;
        for (String shadow : LARGE) {
            if (typeOf(writer, table + "_" + shadow).filter("table"::equals).isPresent()) {
                while (found.has(DISCARDED + number)) {
                    number++;
                }
                statement.execute("ALTER TABLE " + table + "_" + shadow + " RENAME TO " + DISCARDED + number);
                found = FileStructure.read(writer);
            }
        }
        if (isVirtual(found.objects().getOrDefault(table, ""))) {
            statement.execute("PRAGMA writable_schema = ON");
            try {
                statement.execute("DELETE FROM sqlite_master WHERE type = 'table' AND name = '" + table + "'");
            } finally {
                statement.execute("PRAGMA writable_schema = RESET");
            }
        } else {
            drop(writer, table);
        }
        for (String shadow : Stream.concat(LARGE.stream(), SMALL.stream()).toList()) {
            drop(writer, table + "_" + shadow);
        }
    }

    private static boolean isVirtual(String sql) {
        return sql.stripLeading().toLowerCase(Locale.ROOT).startsWith("create virtual");
    }

    /** Drops what has this name, whatever it is; where it is a damaged table, its pages are left alone. */
    private static void drop(Connection writer, String name) throws SQLException {
        Optional<String> type = typeOf(writer, name);
        if (type.isEmpty()) {
            return;
        }
        if (type.get().equals("table") && !isSound(writer, name)) {
            giveUp(writer, name);
            return;
        }
        try (Statement statement = writer.createStatement()) {
            statement.execute("DROP " + type.get() + " IF EXISTS " + name);
        }
    }

    /** Returns whether a name is one of a table, a view, an index or a trigger; absent where nothing has it. */
    private static Optional<String> typeOf(Connection writer, String name) throws SQLException {
        try (PreparedStatement found =
                writer.prepareStatement("SELECT type FROM main.sqlite_master WHERE name = ? COLLATE NOCASE")) {
            found.setString(1, name);
            try (ResultSet row = found.executeQuery()) {
                return row.next() ? Optional.of(row.getString(1)) : Optional.empty();
            }
        }
    }

    /** Returns the names of what was put aside and cannot be emptied because its pages are damaged. Needs no transaction. */
    public static List<String> damagedLeftovers(Connection connection) throws SQLException {
        List<String> damaged = new ArrayList<>();
        for (String table : discarded(connection)) {
            if (!isSound(connection, table)) {
                damaged.add(table);
            }
        }
        return damaged;
    }

    /**
     * Removes a damaged table from the list of tables, inside the caller's transaction, and leaves its pages alone: emptied, it could take
     * pages of other tables with it. Its pages belong to nothing until the file is compacted.
     */
    public static void giveUp(Connection writer, String table) throws SQLException {
        try (Statement statement = writer.createStatement()) {
            statement.execute("PRAGMA writable_schema = ON");
            try (PreparedStatement delete =
                    writer.prepareStatement("DELETE FROM sqlite_master WHERE tbl_name = ? AND type <> 'view'")) {
                delete.setString(1, table);
                delete.executeUpdate();
            } finally {
                statement.execute("PRAGMA writable_schema = RESET");
            }
        }
    }

    /** Returns whether the pages of a table are such that it can be emptied; true for one that does not exist. */
    private static boolean isSound(Connection connection, String table) throws SQLException {
        try (PreparedStatement found =
                connection.prepareStatement("SELECT 1 FROM main.sqlite_master WHERE type = 'table' AND name = ?")) {
            found.setString(1, table);
            try (ResultSet row = found.executeQuery()) {
                if (!row.next()) {
                    return true;
                }
            }
        }
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("PRAGMA main.quick_check(" + table + ")")) {
            return row.next() && row.getString(1).equals("ok");
        } catch (SQLException e) {
            if (SqlErrors.isDamaged(e)) {
                return false;
            }
            throw e;
        }
    }

    private static void execute(Statement statement, List<String> all) throws SQLException {
        for (String each : all) {
            statement.execute(each);
        }
    }
}
