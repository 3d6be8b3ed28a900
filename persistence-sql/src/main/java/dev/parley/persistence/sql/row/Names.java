package dev.parley.persistence.sql.row;

import java.sql.SQLException;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Constants as columns hold them: their names in lower case. */
final class Names {
    private Names() {}

    static String of(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT);
    }

    /** Returns the constant; absent for null. */
    static <E extends Enum<E>> Optional<E> optional(Class<E> type, @Nullable String text) throws SQLException {
        return text == null ? Optional.empty() : Optional.of(constant(type, text));
    }

    static <E extends Enum<E>> E constant(Class<E> type, String text) throws SQLException {
        try {
            return Enum.valueOf(type, text.toUpperCase(Locale.ROOT));
        } catch (IllegalArgumentException e) {
            throw new SQLException("A row says \"" + text + "\" where a " + type.getSimpleName() + " stands.", e);
        }
    }
}
