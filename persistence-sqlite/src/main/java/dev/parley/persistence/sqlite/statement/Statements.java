package dev.parley.persistence.sqlite.statement;

import dev.parley.domain.text.Unicode;
import dev.parley.persistence.sql.statement.Queries;
import dev.parley.persistence.sql.statement.Row;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Types;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Runs statements on one connection and keeps the most recently used ones prepared. For one thread at a time. Values are
 * bound by their Java type and never become part of a statement's text; half a surrogate pair becomes U+FFFD. The same text always has the same columns.
 */
public final class Statements implements Queries, AutoCloseable {
    private static final int KEPT = 64;

    private final Connection connection;
    private final Map<String, Prepared> prepared = new LinkedHashMap<>(16, 0.75f, true);

    /** Runs statements on this connection, which stays its owner's. */
    public Statements(Connection connection) {
        this.connection = connection;
    }

    /** Returns the connection. */
    public Connection connection() {
        return connection;
    }

    /** Changes rows; returns how many. */
    public int update(String sql, @Nullable Object... values) throws SQLException {
        try {
            return bound(sql, values).statement.executeUpdate();
        } catch (SQLException e) {
            throw forgetting(sql, e);
        }
    }

    @Override
    public <T> Optional<T> first(String sql, Mapper<T> mapper, @Nullable Object... values) throws SQLException {
        Prepared prepared = bound(sql, values);
        try (ResultSet result = query(sql, prepared)) {
            return result.next()
                    ? Optional.of(mapper.map(new Row(result, prepared.columns(result))))
                    : Optional.empty();
        }
    }

    @Override
    public long number(String sql, @Nullable Object... values) throws SQLException {
        try (ResultSet result = query(sql, bound(sql, values))) {
            return result.next() ? result.getLong(1) : 0;
        }
    }

    /** Returns whether there is any row. */
    public boolean any(String sql, @Nullable Object... values) throws SQLException {
        try (ResultSet result = query(sql, bound(sql, values))) {
            return result.next();
        }
    }

    @Override
    public void each(String sql, Each each, @Nullable Object... values) throws SQLException {
        Prepared prepared = bound(sql, values);
        try (ResultSet result = query(sql, prepared)) {
            Row row = new Row(result, prepared.columns(result));
            while (result.next()) {
                each.accept(row);
            }
        }
    }

    /** Hands rows to {@code each} until it returns false. */
    public void walk(String sql, Step each, @Nullable Object... values) throws SQLException {
        Prepared prepared = bound(sql, values);
        try (ResultSet result = query(sql, prepared)) {
            Row row = new Row(result, prepared.columns(result));
            boolean more = result.next();
            while (more) {
                more = each.take(row) && result.next();
            }
        }
    }

    /** Runs a statement that takes no values. */
    public void run(String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    /** Closes the statements, not the connection. */
    @Override
    public void close() throws SQLException {
        for (Prepared each : prepared.values()) {
            each.statement.close();
        }
        prepared.clear();
    }

    private ResultSet query(String sql, Prepared prepared) throws SQLException {
        try {
            return prepared.statement.executeQuery();
        } catch (SQLException e) {
            throw forgetting(sql, e);
        }
    }

    /** A statement that has failed is not used again: the driver may not have put it back to its beginning. */
    private SQLException forgetting(String sql, SQLException because) {
        Prepared failed = prepared.remove(sql);
        if (failed != null) {
            try {
                failed.statement.close();
            } catch (SQLException e) {
                because.addSuppressed(e);
            }
        }
        return because;
    }

    private Prepared bound(String sql, @Nullable Object... values) throws SQLException {
        Prepared prepared = prepared(sql);
        if (prepared.places != values.length) {
            throw new SQLException(
                    "The statement has " + prepared.places + " places for " + values.length + " values: " + sql);
        }
        for (int i = 0; i < values.length; i++) {
            bind(prepared.statement, i + 1, values[i]);
        }
        return prepared;
    }

    private Prepared prepared(String sql) throws SQLException {
        Prepared kept = prepared.get(sql);
        if (kept != null) {
            return kept;
        }
        if (prepared.size() >= KEPT) {
            Iterator<Prepared> eldest = prepared.values().iterator();
            eldest.next().statement.close();
            eldest.remove();
        }
        PreparedStatement statement = connection.prepareStatement(sql);
        Prepared made = new Prepared(statement, statement.getParameterMetaData().getParameterCount());
        prepared.put(sql, made);
        return made;
    }

    /** A statement, how many values it takes, and where its columns stand, once that is known. */
    private static final class Prepared {
        private final PreparedStatement statement;
        private final int places;
        private @Nullable Map<String, Integer> columns;

        Prepared(PreparedStatement statement, int places) {
            this.statement = statement;
            this.places = places;
        }

        Map<String, Integer> columns(ResultSet result) throws SQLException {
            Map<String, Integer> known = columns;
            if (known == null) {
                known = Row.columns(result);
                columns = known;
            }
            return known;
        }
    }

    private static void bind(PreparedStatement statement, int place, @Nullable Object value) throws SQLException {
        if (value == null) {
            statement.setNull(place, Types.NULL);
        } else if (value instanceof String text) {
            statement.setString(place, Unicode.wellFormed(text));
        } else if (value instanceof Long number) {
            statement.setLong(place, number);
        } else if (value instanceof Integer number) {
            statement.setLong(place, number);
        } else if (value instanceof Double number) {
            statement.setDouble(place, number);
        } else if (value instanceof Boolean flag) {
            statement.setLong(place, flag ? 1 : 0);
        } else {
            throw new SQLException("No column holds a " + value.getClass().getName() + ".");
        }
    }

    /** Takes rows until it has enough. */
    @FunctionalInterface
    public interface Step {
        /** Takes the current row; returns whether it wants more. */
        boolean take(Row row) throws SQLException;
    }
}
