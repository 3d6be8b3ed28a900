package dev.parley.persistence.sqlite.schema;

import dev.parley.persistence.sqlite.schema.TableShape.IndexShape;
import dev.parley.persistence.sqlite.schema.TableShape.Reference;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Says declarations in SQLite's words. */
final class Ddl {
    private Ddl() {}

    static String create(TableShape table) {
        Stream<String> columns = table.columns().stream().map(Ddl::declare);
        Stream<String> references = table.references().stream().map(Ddl::declare);
        return "CREATE TABLE IF NOT EXISTS " + table.name() + " (\n    "
                + Stream.concat(columns, references).collect(Collectors.joining(",\n    ")) + "\n)";
    }

    static String create(IndexShape index, String table) {
        return "CREATE " + (index.unique() ? "UNIQUE " : "") + "INDEX IF NOT EXISTS " + index.name() + " ON " + table
                + "(" + String.join(", ", index.terms()) + ")"
                + (index.where().isEmpty() ? "" : " WHERE " + index.where());
    }

    /** Adds a column without keys and references, which SQLite cannot add (storage 1.7). */
    static String add(String table, Column column) {
        return "ALTER TABLE " + table + " ADD COLUMN " + column.name() + " " + column.type() + constraints(column);
    }

    /** Adds those of these columns, by table, that are absent, inside the caller's transaction. */
    static void addAbsent(Connection writer, Map<String, List<Column>> columns) throws SQLException {
        FileStructure found = FileStructure.read(writer);
        try (Statement statement = writer.createStatement()) {
            for (Map.Entry<String, List<Column>> entry : columns.entrySet()) {
                for (Column column : entry.getValue()) {
                    if (!found.has(entry.getKey(), column.name())) {
                        statement.execute(add(entry.getKey(), column));
                    }
                }
            }
        }
    }

    private static String declare(Column column) {
        return column.name() + " " + column.type()
                + switch (column.key()) {
                    case NONE -> "";
                    case GIVEN -> " PRIMARY KEY";
                    case RISING -> " PRIMARY KEY AUTOINCREMENT";
                }
                + constraints(column);
    }

    private static String constraints(Column column) {
        return (column.required() ? " NOT NULL" : "")
                + column.initial().map(value -> " DEFAULT " + value).orElse("");
    }

    private static String declare(Reference reference) {
        return "FOREIGN KEY (" + reference.column() + ") REFERENCES " + reference.table() + "(" + reference.target()
                + ")";
    }
}
