package dev.parley.persistence.postgres.statement;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Runs statements on one connection, each in a round trip of its own; the driver keeps them prepared. For one thread at a time. */
public final class Statements {
    private final Connection connection;
    private final int fetchSize;

    /** Runs statements on this connection, which stays its owner's; results come as a whole. */
    public Statements(Connection connection) {
        this(connection, 0);
    }

    /** Runs statements on this connection; results come so many rows at a time, inside of a transaction of the driver's. */
    public Statements(Connection connection, int fetchSize) {
        this.connection = connection;
        this.fetchSize = fetchSize;
    }

    /** Returns every row. */
    public <T> List<T> list(String sql, Mapper<T> mapper, @Nullable Object... values) throws SQLException {
        List<T> rows = new ArrayList<>();
        each(sql, row -> rows.add(mapper.map(row)), values);
        return rows;
    }

    /** Returns the first row, or nothing. */
    public <T> Optional<T> first(String sql, Mapper<T> mapper, @Nullable Object... values) throws SQLException {
        try (PreparedStatement statement = prepared(sql, values);
                ResultSet result = statement.executeQuery()) {
            return result.next() ? Optional.of(mapper.map(Row.of(result))) : Optional.empty();
        }
    }

    /** Returns the first column of the first row as a number; 0 where there is no row, or null. */
    public long number(String sql, @Nullable Object... values) throws SQLException {
        try (PreparedStatement statement = prepared(sql, values);
                ResultSet result = statement.executeQuery()) {
            return result.next() ? result.getLong(1) : 0;
        }
    }

    /** Hands every row to {@code each}. */
    public void each(String sql, Each each, @Nullable Object... values) throws SQLException {
        try (PreparedStatement statement = prepared(sql, values);
                ResultSet result = statement.executeQuery()) {
            Row row = Row.of(result);
            while (result.next()) {
                each.accept(row);
            }
        }
    }

    /** Changes rows; returns how many. */
    public int update(String sql, @Nullable Object... values) throws SQLException {
        try (PreparedStatement statement = prepared(sql, values)) {
            return statement.executeUpdate();
        }
    }

    /** Runs a statement that takes no values. */
    public void run(String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private PreparedStatement prepared(String sql, @Nullable Object... values) throws SQLException {
        PreparedStatement statement = connection.prepareStatement(sql);
        try {
            statement.setFetchSize(fetchSize);
            for (int i = 0; i < values.length; i++) {
                Values.bind(statement, i + 1, values[i]);
            }
            return statement;
        } catch (SQLException | RuntimeException e) {
            statement.close();
            throw e;
        }
    }

    /** Makes a value of a row. */
    @FunctionalInterface
    public interface Mapper<T> {
        /** Returns the value. */
        T map(Row row) throws SQLException;
    }

    /** Takes rows. */
    @FunctionalInterface
    public interface Each {
        /** Takes the current row. */
        void accept(Row row) throws SQLException;
    }
}
