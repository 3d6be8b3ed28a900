package dev.parley.persistence.sqlite.row;

import java.sql.SQLException;
import java.util.Locale;

/** Constants as columns hold them: their names in lower case. */
final class Names {
    private Names() {}

    static String of(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT);
    }

    static <E extends Enum<E>> E constant(Class<E> type, String text) throws SQLException {
        try {
            return Enum.valueOf(type, text.toUpperCase(Locale.ROOT));
        } catch (IllegalArgumentException e) {
            throw new SQLException("A row says \"" + text + "\" where a " + type.getSimpleName() + " stands.", e);
        }
    }
}
