package dev.parley.persistence.postgres.statement;

import dev.parley.persistence.sql.statement.Row;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Map;
import org.jooq.Field;
import org.jspecify.annotations.Nullable;

/** The current row of a result, whose texts are read as {@link StoredText} wrote them. */
final class StoredRow extends Row {
    private StoredRow(ResultSet result, Map<String, Integer> places) {
        super(result, places);
    }

    static StoredRow of(ResultSet result) throws SQLException {
        return new StoredRow(result, columns(result));
    }

    @Override
    public @Nullable String textOrNull(Field<?> field) throws SQLException {
        String stored = super.textOrNull(field);
        return stored == null ? null : StoredText.read(stored);
    }
}
