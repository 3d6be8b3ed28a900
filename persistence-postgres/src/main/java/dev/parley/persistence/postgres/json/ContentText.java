package dev.parley.persistence.postgres.json;

import com.fasterxml.jackson.databind.JsonNode;
import dev.parley.domain.text.RawJson;
import dev.parley.domain.text.Unicode;
import dev.parley.domain.transcript.Content;
import dev.parley.persistence.sql.json.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The content of a message as two columns: a text, and whether that is JSON of several parts. */
public final class ContentText {
    private ContentText() {}

    /** Returns the column's text; null for no content. */
    public static @Nullable String write(Content content) {
        if (content instanceof Content.Text text) {
            return text.text();
        }
        return content instanceof Content.Multipart parts ? parts.json().text() : null;
    }

    /** Returns whether the content has several parts. */
    public static boolean isParts(Content content) {
        return content instanceof Content.Multipart;
    }

    /** Returns the content; parts that are no JSON any more are text. */
    public static Content read(@Nullable String column, boolean parts) {
        if (column == null) {
            return Content.none();
        }
        if (!parts) {
            return Content.text(column);
        }
        return Json.read(column)
                .filter(JsonNode::isContainerNode)
                .<Content>map(node -> new Content.Multipart(new RawJson(column), texts(node)))
                .orElseGet(() -> Content.text(column));
    }

    /** Returns the texts of a list of parts, in order; none where it is no list. */
    private static List<String> texts(JsonNode parts) {
        List<String> texts = new ArrayList<>();
        if (parts.isArray()) {
            for (JsonNode part : parts) {
                textOf(part).map(Unicode::wellFormed).ifPresent(texts::add);
            }
        }
        return texts;
    }

    private static Optional<String> textOf(JsonNode part) {
        if (part.isTextual()) {
            return Optional.of(part.textValue());
        }
        boolean isText = part.path("type").asText("").endsWith("text");
        JsonNode text = part.path("text");
        return isText && text.isTextual() ? Optional.of(text.textValue()) : Optional.empty();
    }
}
