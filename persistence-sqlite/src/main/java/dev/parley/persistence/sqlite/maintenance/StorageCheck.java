package dev.parley.persistence.sqlite.maintenance;

import dev.parley.application.port.StorageCorrupt;
import dev.parley.application.port.StorageUnavailable;
import dev.parley.persistence.sqlite.connection.ReadWork;
import dev.parley.persistence.sqlite.connection.SqlErrors;
import dev.parley.persistence.sqlite.schema.FileStructure;
import dev.parley.persistence.sqlite.schema.IndexForm;
import dev.parley.persistence.sqlite.schema.IndexRebuild;
import dev.parley.persistence.sqlite.schema.OpenDatabase;
import dev.parley.persistence.sqlite.schema.RemovedMessages;
import dev.parley.persistence.sqlite.schema.SearchIndex;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.BiConsumer;

/**
 * Checks a whole database in steps. Each step reads one state of the file and lets go of it, so the log that others write meanwhile is moved
 * into the file between two steps and stays small. A step reads one table, or some thousand messages; what is held is bounded by the
 * number of pages, one bit each. Changes nothing.
 */
final class StorageCheck {
    /** So many messages are compared with the search index in one step. */
    static final int ROWS = 20_000;

    /** The statements of a check are right, so what refuses one is an index that cannot be opened far enough. */
    private static final String UNREADABLE_INDEX = "The search index cannot be read";

    private static final String UPGRADE = "; run \"parley storage upgrade\"";
    private static final String REBUILDS = UPGRADE + " to rebuild it; no message is lost.";
    private static final String UNKNOWN =
            "; its form is not known here, so let the software that made it rebuild it; no message is lost.";

    private final OpenDatabase database;
    private final int rows;
    private final BiConsumer<Long, Long> progress;
    private String rebuilds = REBUILDS;
    private long done;
    private long total;

    /**
     * Makes a check.
     *
     * @param rows so many messages are compared with the search index in one step
     * @param progress told between two steps how many are done, of how many
     */
    StorageCheck(OpenDatabase database, int rows, BiConsumer<Long, Long> progress) {
        this.database = database;
        this.rows = rows;
        this.progress = progress;
    }

    /** Returns what is wrong, one line each with what to do; empty where nothing is. */
    List<String> findings() {
        lookAtForm();
        List<String> tables = tables();
        long messages = howMany();
        total = 4 + 2L * tables.size() + 2L * SearchIndex.TABLES.size() + 2 * (messages / rows + 1);
        progress.accept(done, total);
        Set<String> wrong = new LinkedHashSet<>();
        wrong.addAll(step(this::fileHeader));
        wrong.addAll(step(this::pages));
        tables.forEach(table -> wrong.addAll(step(() -> table(table))));
        tables.forEach(table -> wrong.addAll(step(() -> references(table))));
        wrong.addAll(step(this::indexStructure));
        SearchIndex.TABLES.forEach(table -> wrong.addAll(step(() -> indexTree(table))));
        SearchIndex.TABLES.forEach(table -> wrong.addAll(step(() -> indexRows(table))));
        progress.accept(total, total);
        return List.copyOf(wrong);
    }

    /** Only for the progress: where counting meets a damage, the steps tell of it. */
    private long howMany() {
        try {
            return number("SELECT count(*) FROM messages");
        } catch (StorageCorrupt damage) {
            return 0;
        }
    }

    /** Returns what is wrong with the search index alone, told cheapest first: nothing more is looked at once something is wrong. */
    List<String> indexFindings() {
        lookAtForm();
        Set<String> wrong = new LinkedHashSet<>(guarded(this::indexStructure));
        SearchIndex.TABLES.forEach(table -> wrong.addAll(guarded(() -> indexRows(table))));
        if (wrong.isEmpty()) {
            tables().stream()
                    .filter(StorageCheck::belongsToIndex)
                    .forEach(table -> wrong.addAll(guarded(() -> table(table))));
        }
        if (wrong.isEmpty()) {
            SearchIndex.TABLES.forEach(table -> wrong.addAll(guarded(() -> indexTree(table))));
        }
        return List.copyOf(wrong);
    }

    /** An upgrade leaves an index of another form alone, so it is no advice there. */
    private void lookAtForm() {
        rebuilds = read(connection -> FileStructure.read(connection).hasKnownIndex()) ? REBUILDS : UNKNOWN;
    }

    /** One thing to look at. */
    @FunctionalInterface
    private interface Look {
        List<String> findings();
    }

    private List<String> step(Look look) {
        List<String> findings = guarded(look);
        stepped();
        return findings;
    }

    private void stepped() {
        done = Math.min(done + 1, total);
        progress.accept(done, total);
    }

    private List<String> guarded(Look look) {
        try {
            return look.findings();
        } catch (StorageCorrupt damage) {
            return List.of(String.valueOf(damage.getMessage()));
        } catch (StorageUnavailable refused) {
            if (SqlErrors.isRefusedStatement(refused)) {
                return List.of(UNREADABLE_INDEX + rebuilds);
            }
            throw refused;
        }
    }

    /** What the gateway refuses, a check does not call whole. */
    private List<String> fileHeader() {
        database.file().inspect();
        return read(connection ->
                FileStructure.read(connection).refusal(database.file()).stream().toList());
    }

    private List<String> pages() {
        PageUse use = read(PageUse::read);
        List<String> wrong = new ArrayList<>();
        use.damage(database.file())
                .ifPresent(how -> wrong.add("The database is damaged (" + how + "); restore a copy."));
        if (use.lost() > 0) {
            wrong.add(
                    use.lost() + " pages of the database belong to nothing; run \"parley storage vacuum\" to give them"
                            + " back; no message is lost.");
        }
        return wrong;
    }

    private List<String> tables() {
        return read(connection -> texts(
                connection,
                "SELECT name FROM main.sqlite_master WHERE type = 'table'"
                        + " AND sql NOT LIKE 'CREATE VIRTUAL TABLE%' ORDER BY name"));
    }

    /** A table may have gone since the list of them was read. */
    private List<String> table(String table) {
        return read(connection -> exists(connection, table)
                ? texts(connection, "PRAGMA main.integrity_check(" + quoted(table) + ")").stream()
                        .filter(line -> !line.equals("ok"))
                        .map(line -> damage(table, line))
                        .toList()
                : List.of());
    }

    private String damage(String table, String line) {
        if (belongsToIndex(table)) {
            return "The search index is damaged (" + oneLine(line) + ")" + rebuilds;
        }
        return IndexRebuild.isLeftover(table)
                ? "What is left of a former search index is damaged (" + oneLine(line) + ")" + UPGRADE
                        + " to put it away; no message is lost."
                : "The database is damaged in its table " + table + " (" + oneLine(line) + "); restore a copy.";
    }

    private static boolean belongsToIndex(String table) {
        return table.toLowerCase(Locale.ROOT).startsWith(SearchIndex.WORDS);
    }

    private List<String> references(String table) {
        return read(connection -> exists(connection, table)
                ? texts(
                                connection,
                                "SELECT count(*) || ' rows of ' || \"table\" || ' name rows of ' || parent || ' that do"
                                        + " not exist' FROM pragma_foreign_key_check(" + quoted(table)
                                        + ", 'main') GROUP BY \"table\", parent")
                        .stream()
                        .map(line -> "In the database " + line + "; export what is readable and restore a copy.")
                        .toList()
                : List.of());
    }

    private List<String> indexStructure() {
        return read(connection -> {
            FileStructure found = FileStructure.read(connection);
            if (!found.lacksIndex()) {
                return List.of();
            }
            return List.of(
                    found.hasKnownIndex()
                            ? "The search index is old or not whole" + UPGRADE
                                    + " to rebuild it; until then search reads every message."
                            : "The search index has a form that is not known here (schema version "
                                    + SqliteMaintenance.version(found.version())
                                    + "); let the software that made it look after it; search reads every message.");
        });
    }

    /**
     * Returns how an index differs from the texts it should have, told by SQLite's own check of it. In the shared form that is asked of the
     * index itself; what another release of SQLite explains is left out. In the compact form it compares nothing but where it is asked
     * of a copy. That check looks at what its connection remembers of the index, and takes what others have written since for
     * damage, so each has a connection of its own.
     */
    private List<String> indexTree(String table) {
        return database
                .readAfresh(connection -> {
                    FileStructure found = FileStructure.read(connection);
                    if (found.hasWholeIndex() && found.indexForm() == IndexForm.COMPACT) {
                        return IndexCopy.difference(connection, found, table).stream()
                                .toList();
                    }
                    return found.has(table) ? sharedTree(connection, found, table) : List.<String>of();
                })
                .stream()
                .map(line -> "The search index is damaged (" + oneLine(line) + ")" + rebuilds)
                .toList();
    }

    private static List<String> sharedTree(Connection connection, FileStructure found, String table)
            throws SQLException {
        List<String> lines = texts(connection, "PRAGMA main.integrity_check(" + quoted(table) + ")").stream()
                .filter(line -> !line.equals("ok"))
                .toList();
        boolean mayBeAnotherRelease = table.equals(SearchIndex.TRIGRAMS)
                && found.hasWholeIndex()
                && !lines.isEmpty()
                && lines.stream().allMatch(line -> line.contains("malformed inverted index"));
        return mayBeAnotherRelease
                ? IndexCopy.differenceWithoutNul(connection).stream().toList()
                : lines;
    }

    private List<String> indexRows(String table) {
        long differing = 0;
        OptionalLong through = OptionalLong.of(Long.MIN_VALUE);
        while (through.isPresent()) {
            long after = through.getAsLong();
            Compared compared = read(connection -> compare(connection, table, after));
            differing += compared.differing();
            through = compared.through();
            if (through.isPresent()) {
                stepped();
            }
        }
        return differing == 0
                ? List.of()
                : List.of("The search index " + table + " differs from the messages in " + differing + " rows"
                        + rebuilds);
    }

    /** How many rows of a range differ; the last number of the range, absent where nothing comes after it. */
    private record Compared(long differing, OptionalLong through) {}

    private Compared compare(Connection connection, String table, long after) throws SQLException {
        FileStructure found = FileStructure.read(connection);
        if (!found.hasWholeIndex()) {
            return new Compared(0, OptionalLong.empty());
        }
        long last;
        boolean more;
        try (PreparedStatement range = connection.prepareStatement(
                "SELECT max(id), count(*) FROM (SELECT id FROM messages WHERE id > ? ORDER BY id LIMIT ?)")) {
            range.setLong(1, after);
            range.setLong(2, rows);
            try (ResultSet row = range.executeQuery()) {
                last = row.getLong(1);
                more = row.getLong(2) == rows;
            }
        }
        long to = more ? last : Long.MAX_VALUE;
        boolean shared = found.indexForm() == IndexForm.SHARED;
        long differing = count(connection, shared ? differingCopies(table) : missing(table), after, to)
                + count(
                        connection,
                        shared ? copiesOfNothing(table, found) : indexedForNothing(table, found),
                        after,
                        to);
        return new Compared(differing, more ? OptionalLong.of(last) : OptionalLong.empty());
    }

    private static String differingCopies(String table) {
        return "SELECT count(*) FROM messages m LEFT JOIN " + table + " f ON f.rowid = m.id"
                + " WHERE m.id > ? AND m.id <= ? AND f.content IS NOT " + SearchIndex.indexedText("m");
    }

    private static String copiesOfNothing(String table, FileStructure found) {
        return "SELECT count(*) FROM " + table + " f WHERE f.rowid > ? AND f.rowid <= ?"
                + " AND NOT EXISTS (SELECT 1 FROM messages m WHERE m.id = f.rowid) AND "
                + RemovedMessages.isNone(found, "f.rowid");
    }

    /** Without copies of the texts, the sizes kept of them tell which rows are indexed. */
    private static String missing(String table) {
        return "SELECT count(*) FROM messages m LEFT JOIN " + table + "_docsize d ON d.id = m.id"
                + " WHERE m.id > ? AND m.id <= ? AND d.id IS NULL AND " + IndexForm.COMPACT.coveredBy(table, "m");
    }

    private static String indexedForNothing(String table, FileStructure found) {
        return "SELECT count(*) FROM " + table + "_docsize d LEFT JOIN messages m ON m.id = d.id"
                + " WHERE d.id > ? AND d.id <= ? AND (m.id IS NULL OR NOT " + IndexForm.COMPACT.coveredBy(table, "m")
                + ") AND " + RemovedMessages.isNone(found, "d.id");
    }

    private <T> T read(ReadWork<T> work) {
        return database.reads().read(work);
    }

    private long number(String sql) {
        return read(connection -> Long.parseLong(texts(connection, sql).get(0)));
    }

    private static long count(Connection connection, String sql, long after, long to) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            statement.setLong(1, after);
            statement.setLong(2, to);
            try (ResultSet row = statement.executeQuery()) {
                return row.getLong(1);
            }
        }
    }

    private static boolean exists(Connection connection, String table) throws SQLException {
        try (PreparedStatement statement =
                connection.prepareStatement("SELECT 1 FROM main.sqlite_master WHERE type = 'table' AND name = ?")) {
            statement.setString(1, table);
            try (ResultSet row = statement.executeQuery()) {
                return row.next();
            }
        }
    }

    private static String quoted(String name) {
        return "'" + name.replace("'", "''") + "'";
    }

    private static String oneLine(String text) {
        return text.replaceAll("\\s+", " ").strip();
    }

    private static List<String> texts(Connection connection, String sql) throws SQLException {
        List<String> texts = new ArrayList<>();
        try (Statement statement = connection.createStatement();
                ResultSet result = statement.executeQuery(sql)) {
            while (result.next()) {
                texts.add(String.valueOf(result.getString(1)));
            }
        }
        return texts;
    }
}
