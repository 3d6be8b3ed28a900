package dev.parley.persistence.sql.statement;

import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import org.jooq.Field;
import org.jspecify.annotations.Nullable;

/**
 * The current row of a result, read by column name. Valid while the result is walked. A database that holds texts in a form of its own
 * overrides {@link #textOrNull}, which every other reading of a text goes through.
 */
public class Row {
    private final ResultSet result;
    private final Map<String, Integer> places;

    /** Reads the row that the result is at, with the places that {@link #columns} tells. */
    public Row(ResultSet result, Map<String, Integer> places) {
        this.result = result;
        this.places = places;
    }

    /** Returns the place of each column by its name. */
    public static Map<String, Integer> columns(ResultSet result) throws SQLException {
        Map<String, Integer> places = new HashMap<>();
        ResultSetMetaData columns = result.getMetaData();
        for (int i = 1; i <= columns.getColumnCount(); i++) {
            places.put(columns.getColumnLabel(i), i);
        }
        return places;
    }

    /** Returns the text, or null. */
    public @Nullable String textOrNull(Field<?> field) throws SQLException {
        return result.getString(place(field));
    }

    /** Returns the text; the empty string for null. */
    public final String text(Field<?> field) throws SQLException {
        String value = textOrNull(field);
        return value == null ? "" : value;
    }

    /** Returns the text; absent for null. */
    public final Optional<String> optional(Field<?> field) throws SQLException {
        return Optional.ofNullable(textOrNull(field));
    }

    /** Returns the number; 0 for null. */
    public final long number(Field<?> field) throws SQLException {
        return result.getLong(place(field));
    }

    /** Returns the number; absent for null. */
    public final OptionalLong optionalNumber(Field<?> field) throws SQLException {
        long value = result.getLong(place(field));
        return result.wasNull() ? OptionalLong.empty() : OptionalLong.of(value);
    }

    /** Returns whether the flag is there and set; a number counts as set unless it is 0. */
    public final boolean flag(Field<?> field) throws SQLException {
        return result.getBoolean(place(field));
    }

    /** Returns the real number; 0 for null. */
    public final double real(Field<?> field) throws SQLException {
        return result.getDouble(place(field));
    }

    /** Returns the real number; absent for null. */
    public final OptionalDouble optionalReal(Field<?> field) throws SQLException {
        double value = result.getDouble(place(field));
        return result.wasNull() ? OptionalDouble.empty() : OptionalDouble.of(value);
    }

    private int place(Field<?> field) throws SQLException {
        Integer place = places.get(field.getName());
        if (place == null) {
            throw new SQLException("The result has no column " + field.getName() + ".");
        }
        return place;
    }
}
