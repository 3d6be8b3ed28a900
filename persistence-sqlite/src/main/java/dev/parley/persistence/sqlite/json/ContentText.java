package dev.parley.persistence.sqlite.json;

import com.fasterxml.jackson.databind.JsonNode;
import dev.parley.domain.text.Unicode;
import dev.parley.domain.transcript.Content;
import dev.parley.persistence.sql.json.Json;
import dev.parley.persistence.sql.json.PartsText;
import org.jspecify.annotations.Nullable;

/**
 * The content column of a message: text as it is, lists and objects as JSON behind a marker that begins with U+0000
 * (storage 4.1).
 */
public final class ContentText {
    /** What stands before the JSON of multi-part content. */
    public static final String MARKER = "\u0000json:";

    private ContentText() {}

    /** Returns the column's text; null for no content. Text that begins with the marker is not told apart from it. */
    public static @Nullable String write(Content content) {
        if (content instanceof Content.Text text) {
            return Unicode.wellFormed(text.text());
        }
        if (content instanceof Content.Multipart parts) {
            return MARKER + Unicode.wellFormed(parts.json().text());
        }
        return null;
    }

    /**
     * Returns the content; what cannot be decoded behind the marker is text, marker included (storage 4.3). A single JSON text is that text,
     * a number or truth value its spelling, and null is no content.
     */
    public static Content read(@Nullable String column) {
        if (column == null) {
            return Content.none();
        }
        if (!column.startsWith(MARKER)) {
            return Content.text(column);
        }
        String json = column.substring(MARKER.length());
        return PartsText.read(json)
                .or(() -> Json.read(json).map(ContentText::scalar))
                .orElseGet(() -> Content.text(column));
    }

    private static Content scalar(JsonNode value) {
        return value.isNull() ? Content.none() : Content.text(Unicode.wellFormed(value.asText()));
    }
}
