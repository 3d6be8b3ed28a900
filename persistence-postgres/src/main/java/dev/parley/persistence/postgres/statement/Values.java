package dev.parley.persistence.postgres.statement;

import java.sql.Array;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Types;
import java.util.Collection;
import org.jspecify.annotations.Nullable;

/** Binds values by their Java type; they never become part of a statement's text. */
final class Values {
    private Values() {}

    static void bind(PreparedStatement statement, int place, @Nullable Object value) throws SQLException {
        if (value == null) {
            statement.setNull(place, Types.NULL);
        } else if (value instanceof String text) {
            statement.setString(place, StoredText.write(text));
        } else if (value instanceof Long number) {
            statement.setLong(place, number);
        } else if (value instanceof Integer number) {
            statement.setLong(place, number);
        } else if (value instanceof Double number) {
            statement.setDouble(place, number);
        } else if (value instanceof Boolean flag) {
            statement.setBoolean(place, flag);
        } else if (value instanceof Collection<?> texts) {
            Object[] stored = texts.stream()
                    .map(text -> StoredText.write(text.toString()))
                    .toArray();
            Array array = statement.getConnection().createArrayOf("text", stored);
            statement.setArray(place, array);
        } else {
            throw new SQLException("No column holds a " + value.getClass().getName() + ".");
        }
    }
}
