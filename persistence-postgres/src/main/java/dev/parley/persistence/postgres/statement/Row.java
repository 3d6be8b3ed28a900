package dev.parley.persistence.postgres.statement;

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

/** The current row of a result, read by column name. Valid while the result is walked. */
public final class Row {
    private final ResultSet result;
    private final Map<String, Integer> places;

    private Row(ResultSet result, Map<String, Integer> places) {
        this.result = result;
        this.places = places;
    }

    static Row of(ResultSet result) throws SQLException {
        Map<String, Integer> places = new HashMap<>();
        ResultSetMetaData columns = result.getMetaData();
        for (int i = 1; i <= columns.getColumnCount(); i++) {
            places.put(columns.getColumnLabel(i), i);
        }
        return new Row(result, places);
    }

    /** Returns the text, or null. */
    public @Nullable String textOrNull(Field<?> field) throws SQLException {
        String value = result.getString(place(field));
        return value == null ? null : StoredText.read(value);
    }

    /** Returns the text; the empty string for null. */
    public String text(Field<?> field) throws SQLException {
        String value = textOrNull(field);
        return value == null ? "" : value;
    }

    /** Returns the text; absent for null. */
    public Optional<String> optional(Field<?> field) throws SQLException {
        return Optional.ofNullable(textOrNull(field));
    }

    /** Returns the number; 0 for null. */
    public long number(Field<?> field) throws SQLException {
        return result.getLong(place(field));
    }

    /** Returns the number; absent for null. */
    public OptionalLong optionalNumber(Field<?> field) throws SQLException {
        long value = result.getLong(place(field));
        return result.wasNull() ? OptionalLong.empty() : OptionalLong.of(value);
    }

    /** Returns whether the flag is there and set. */
    public boolean flag(Field<?> field) throws SQLException {
        return result.getBoolean(place(field));
    }

    /** Returns the real number; 0 for null. */
    public double real(Field<?> field) throws SQLException {
        return result.getDouble(place(field));
    }

    /** Returns the real number; absent for null. */
    public OptionalDouble optionalReal(Field<?> field) throws SQLException {
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
