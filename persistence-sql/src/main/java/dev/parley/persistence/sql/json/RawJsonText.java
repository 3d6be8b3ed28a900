package dev.parley.persistence.sql.json;

import dev.parley.domain.text.RawJson;
import dev.parley.domain.text.Unicode;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Columns that carry JSON unchanged. */
public final class RawJsonText {
    private RawJsonText() {}

    /** Returns the column's text; null for nothing, and for null, an empty text, list or object (storage 4.1). */
    public static @Nullable String write(Optional<RawJson> json) {
        if (json.isEmpty() || saysNothing(json.get().text())) {
            return null;
        }
        return Unicode.wellFormed(json.get().text());
    }

    /** Returns the column's text as it is, also where it says nothing; null for nothing. */
    public static @Nullable String writeUnchanged(Optional<RawJson> json) {
        return json.map(RawJson::text).map(Unicode::wellFormed).orElse(null);
    }

    /** Returns the JSON, an empty text included; absent for null. */
    public static Optional<RawJson> read(@Nullable String column) {
        return Optional.ofNullable(column).map(RawJson::new);
    }

    private static boolean saysNothing(String text) {
        String bare = text.length() > 16 ? text : text.replaceAll("\\s", "");
        return switch (bare) {
            case "", "null", "[]", "{}", "\"\"" -> true;
            default -> false;
        };
    }
}
