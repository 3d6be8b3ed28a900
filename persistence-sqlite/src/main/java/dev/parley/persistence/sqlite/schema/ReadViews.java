package dev.parley.persistence.sqlite.schema;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Lets reads of any file be the same: where a file lacks a declared table or column, a temporary view of the table's name stands
 * before it and gives what an empty table or an absent column says (storage 1.8). The file itself is not touched. SQLite
 * flattens these views, so the indexes of the tables are used as ever.
 */
public final class ReadViews {
    private ReadViews() {}

    /** Makes the views this file needs on a reading connection, in place of those it had; returns the names of the tables. */
    public static Set<String> adapt(Connection reader) throws SQLException {
        try (Statement statement = reader.createStatement()) {
            for (String view : existing(statement)) {
                statement.execute("DROP VIEW temp." + view);
            }
        }
        FileStructure found = FileStructure.read(reader);
        Set<String> made = new HashSet<>();
        try (Statement statement = reader.createStatement()) {
            for (TableShape table : FileStructure.declared().toList()) {
                List<Column> wanted = new ArrayList<>(table.columns());
                wanted.addAll(SharedSchema.SOFT_DELETE.getOrDefault(table.name(), List.of()));
                wanted.addAll(SharedSchema.ARCHIVING.getOrDefault(table.name(), List.of()));
                if (!wanted.stream().allMatch(column -> found.has(table.name(), column.name()))) {
                    statement.execute(view(table, wanted, found));
                    made.add(table.name());
                }
            }
        }
        return Set.copyOf(made);
    }

    private static List<String> existing(Statement statement) throws SQLException {
        List<String> names = new ArrayList<>();
        try (ResultSet rows = statement.executeQuery("SELECT name FROM sqlite_temp_master WHERE type = 'view'")) {
            while (rows.next()) {
                names.add(rows.getString(1));
            }
        }
        return names;
    }

    private static String view(TableShape table, List<Column> wanted, FileStructure found) {
        String name = table.name();
        boolean exists = found.has(name);
        Stream<String> given = found.columns().getOrDefault(name, Set.of()).stream()
                .sorted()
                .map(column -> "\"" + column.replace("\"", "\"\"") + "\"");
        Stream<String> absent = wanted.stream()
                .filter(column -> !found.has(name, column.name()))
                .map(column -> column.absentValue() + " AS \"" + column.name().toLowerCase(Locale.ROOT) + "\"");
        return "CREATE TEMP VIEW " + name + " AS SELECT "
                + Stream.concat(given, absent).collect(Collectors.joining(", "))
                + (exists ? " FROM main." + name : " WHERE 0");
    }
}
