package dev.parley.persistence.sqlite.schema;

import dev.parley.persistence.sqlite.connection.DatabaseFile;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What a file has. Every decision about it is taken from this, never from its version alone (R1, R3).
 *
 * @param objects tables, indexes, triggers and views by lower-case name, with their SQL; empty text for those without
 * @param columns the lower-case names of the columns of each declared table that exists
 * @param version the first row of the shared version table; absent where there is none
 * @param parleyVersion the version of Parley's own tables; absent where there are none
 */
public record FileStructure(
        Map<String, String> objects,
        Map<String, Set<String>> columns,
        OptionalLong version,
        OptionalLong parleyVersion) {

    /** Returns why this version may not use the file, in a line; absent where it may. */
    public Optional<String> refusal(DatabaseFile file) {
        long found = parleyVersion.orElse(0);
        return found <= ParleySchema.VERSION
                ? Optional.empty()
                : Optional.of("The database " + file + " was written by a newer Parley (its tables have version "
                        + found + ", this one knows " + ParleySchema.VERSION + "); use that one.");
    }

    /** Reads the structure, on one state of the file where the connection is in a transaction. */
    public static FileStructure read(Connection connection) throws SQLException {
        Map<String, String> objects = objects(connection);
        Map<String, Set<String>> columns = new HashMap<>();
        for (TableShape table : declared().toList()) {
            if (objects.containsKey(table.name())) {
                columns.put(table.name(), columns(connection, table.name()));
            }
        }
        return new FileStructure(
                Map.copyOf(objects),
                Map.copyOf(columns),
                version(connection, SharedSchema.SCHEMA_VERSION, columns),
                version(connection, ParleySchema.PARLEY_SCHEMA, columns));
    }

    static Stream<TableShape> declared() {
        return Stream.concat(SharedSchema.TABLES.stream(), ParleySchema.TABLES.stream());
    }

    /** Returns whether a table, index, trigger or view of this name exists. */
    public boolean has(String object) {
        return objects.containsKey(object);
    }

    /** Returns whether a declared table exists and has a column. */
    public boolean has(String table, String column) {
        return columns.getOrDefault(table, Set.of()).contains(column);
    }

    /** Returns whether there is anything in the file at all. */
    public boolean isEmpty() {
        return objects.isEmpty();
    }

    /** Returns whether messages may be hidden. */
    public boolean hidesMessages() {
        return has("messages", "active");
    }

    /** Returns whether both full-text tables and their triggers are there, in the form of version 11 or in the compact one. */
    public boolean hasWholeIndex() {
        return SearchIndex.isWhole(objects);
    }

    /** Returns whether search lacks an index; never in an empty file, where there is nothing to be found. */
    public boolean lacksIndex() {
        return !isEmpty() && !hasWholeIndex();
    }

    /** Returns the form of the full-text tables, or the one they are nearest to. */
    public IndexForm indexForm() {
        return IndexForm.of(objects);
    }

    /**
     * Returns whether the full-text tables may be made anew: they are absent, or some version up to 11 or Parley made them. A later
     * version may have tables of another form, which are its own.
     */
    public boolean hasKnownIndex() {
        return !isNewer() || SearchIndex.isKnown(objects);
    }

    /** Returns whether a rebuild of the index is under way, or something is to be tidied up after one. */
    public boolean isRebuildingIndex() {
        return IndexRebuild.isUnderWay(objects) || IndexRebuild.hasLeftovers(objects);
    }

    /** Returns whether the file was brought to a version later than the one known here. */
    public boolean isNewer() {
        return version.orElse(0) > SharedSchema.VERSION;
    }

    private static Map<String, String> objects(Connection connection) throws SQLException {
        Map<String, String> objects = new HashMap<>();
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("SELECT name, sql FROM main.sqlite_master")) {
            while (rows.next()) {
                String sql = rows.getString(2);
                objects.put(rows.getString(1).toLowerCase(Locale.ROOT), sql == null ? "" : sql);
            }
        }
        return objects;
    }

    private static Set<String> columns(Connection connection, String table) throws SQLException {
        Set<String> names = new HashSet<>();
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("PRAGMA main.table_info(" + table + ")")) {
            while (rows.next()) {
                names.add(rows.getString("name").toLowerCase(Locale.ROOT));
            }
        }
        return Set.copyOf(names);
    }

    /** The first row decides; a value that is no number counts as 0 (R5). */
    private static OptionalLong version(Connection connection, TableShape table, Map<String, Set<String>> columns)
            throws SQLException {
        if (!columns.getOrDefault(table.name(), Set.of()).contains("version")) {
            return OptionalLong.empty();
        }
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(
                        "SELECT version FROM main." + table.name() + " ORDER BY rowid LIMIT 1")) {
            return rows.next() ? OptionalLong.of(number(rows.getString(1))) : OptionalLong.empty();
        }
    }

    private static long number(@Nullable String value) {
        try {
            return Optional.ofNullable(value)
                    .map(text -> (long) Double.parseDouble(text))
                    .orElse(0L);
        } catch (NumberFormatException e) {
            return 0;
        }
    }
}
