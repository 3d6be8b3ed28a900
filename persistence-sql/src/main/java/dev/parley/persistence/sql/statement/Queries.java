package dev.parley.persistence.sql.statement;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Asks a database on one connection. For one thread at a time. Values are bound by their Java type, one for each place of the
 * statement, and never become part of its text; text is stored well-formed.
 */
public interface Queries {
    /** Returns every row, in the order of the statement. */
    default <T> List<T> list(String sql, Mapper<T> mapper, @Nullable Object... values) throws SQLException {
        List<T> rows = new ArrayList<>();
        each(sql, row -> rows.add(mapper.map(row)), values);
        return rows;
    }

    /** Returns the first row; absent where the statement finds none. */
    <T> Optional<T> first(String sql, Mapper<T> mapper, @Nullable Object... values) throws SQLException;

    /** Returns the first column of the first row as a number; 0 where there is no row, or null. */
    long number(String sql, @Nullable Object... values) throws SQLException;

    /** Hands every row to {@code each}, in the order of the statement. */
    void each(String sql, Each each, @Nullable Object... values) throws SQLException;

    /**
     * Makes a value of a row.
     *
     * @param <T> what it makes
     */
    @FunctionalInterface
    interface Mapper<T> {
        /** Returns the value. */
        T map(Row row) throws SQLException;
    }

    /** Takes rows. */
    @FunctionalInterface
    interface Each {
        /** Takes the current row. */
        void accept(Row row) throws SQLException;
    }
}
