package dev.parley.persistence.postgres.statement;

import dev.parley.persistence.sql.statement.Queries;
import dev.parley.persistence.sql.statement.Row;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Runs statements on one connection, each in a round trip of its own; the driver keeps them prepared. For one thread at a time. */
public final class Statements implements Queries {
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

    @Override
    public <T> Optional<T> first(String sql, Mapper<T> mapper, @Nullable Object... values) throws SQLException {
        try (PreparedStatement statement = prepared(sql, values);
                ResultSet result = statement.executeQuery()) {
            return result.next() ? Optional.of(mapper.map(StoredRow.of(result))) : Optional.empty();
        }
    }

    @Override
    public long number(String sql, @Nullable Object... values) throws SQLException {
        try (PreparedStatement statement = prepared(sql, values);
                ResultSet result = statement.executeQuery()) {
            return result.next() ? result.getLong(1) : 0;
        }
    }

    @Override
    public void each(String sql, Each each, @Nullable Object... values) throws SQLException {
        try (PreparedStatement statement = prepared(sql, values);
                ResultSet result = statement.executeQuery()) {
            Row row = StoredRow.of(result);
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
}
