package dev.parley.persistence.sql.json;

import dev.parley.domain.source.MalformedSourceException;
import dev.parley.domain.source.Platform;
import dev.parley.domain.source.Platforms;
import dev.parley.domain.source.SessionSource;
import dev.parley.domain.source.SourceDictionary;
import dev.parley.domain.text.Unicode;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Columns that hold a source in its dictionary form (S1.9). */
public final class SourceText {
    private SourceText() {}

    /** Returns the column's text. */
    public static String write(SessionSource source) {
        Map<String, @Nullable Object> fields = new LinkedHashMap<>();
        SourceDictionary.write(source)
                .forEach((name, value) ->
                        fields.put(name, value instanceof String text ? Unicode.wellFormed(text) : value));
        return Json.write(fields);
    }

    /**
     * Returns the source; absent where the column is null or cannot be read. Whatever platform it names is accepted: it was
     * known when the row was written.
     */
    public static Optional<SessionSource> read(@Nullable String column) {
        return Json.read(column).flatMap(Json::members).flatMap(SourceText::source);
    }

    private static Optional<SessionSource> source(Map<String, @Nullable Object> fields) {
        if (!(fields.get("platform") instanceof String name) || name.isBlank()) {
            return Optional.empty();
        }
        try {
            return Optional.of(SourceDictionary.read(fields, Platforms.builtIn().plus(List.of(Platform.of(name)))));
        } catch (MalformedSourceException e) {
            return Optional.empty();
        }
    }
}
