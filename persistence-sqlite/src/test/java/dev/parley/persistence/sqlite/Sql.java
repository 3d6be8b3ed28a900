package dev.parley.persistence.sqlite;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Looks into, and changes, database files past the code under test. */
public final class Sql {
    private Sql() {}

    /** Connects to a file. */
    public static Connection connect(Path file) throws SQLException {
        return DriverManager.getConnection("jdbc:sqlite:" + file);
    }

    /** Runs statements on a file, each by itself. */
    public static void run(Path file, String... statements) throws SQLException {
        try (Connection connection = connect(file);
                Statement statement = connection.createStatement()) {
            for (String each : statements) {
                statement.execute(each);
            }
        }
    }

    /** Returns the first column of a query. */
    public static List<@Nullable Object> column(Path file, String query) throws SQLException {
        return rows(file, query).stream()
                .map(row -> (@Nullable Object) row.values().iterator().next())
                .toList();
    }

    /** Returns the rows of a query, columns in order. */
    public static List<Map<String, @Nullable Object>> rows(Path file, String query) throws SQLException {
        try (Connection connection = connect(file)) {
            return rows(connection, query);
        }
    }

    /** Returns the rows of a query, columns in order. */
    public static List<Map<String, @Nullable Object>> rows(Connection connection, String query) throws SQLException {
        List<Map<String, @Nullable Object>> rows = new ArrayList<>();
        try (Statement statement = connection.createStatement();
                ResultSet result = statement.executeQuery(query)) {
            while (result.next()) {
                Map<String, @Nullable Object> row = new LinkedHashMap<>();
                for (int i = 1; i <= result.getMetaData().getColumnCount(); i++) {
                    row.put(result.getMetaData().getColumnName(i), result.getObject(i));
                }
                rows.add(row);
            }
        }
        return rows;
    }
}
