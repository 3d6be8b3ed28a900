package dev.parley.persistence.sql.json;

import com.fasterxml.jackson.databind.JsonNode;
import dev.parley.domain.text.RawJson;
import dev.parley.domain.text.Unicode;
import dev.parley.domain.transcript.Content;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The content of a message of several parts, as JSON. */
public final class PartsText {
    private PartsText() {}

    /** Returns the content; absent where the text is no JSON object or list. */
    public static Optional<Content> read(String json) {
        return Json.read(json)
                .filter(JsonNode::isContainerNode)
                .map(node -> new Content.Multipart(new RawJson(json), texts(node)));
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
