package dev.parley.adapter.kit.json;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Optional;

/** JSON as servers and programs read and write it. Safe for concurrent use. */
public final class Json {
    /** Reads and writes it as it is. */
    public static final JsonMapper MAPPER = JsonMapper.builder().build();

    private Json() {}

    /** Returns an empty object. */
    public static ObjectNode object() {
        return MAPPER.createObjectNode();
    }

    /** Returns an empty array. */
    public static ArrayNode array() {
        return MAPPER.createArrayNode();
    }

    /** Returns what a text says; absent where it is no JSON. */
    public static Optional<JsonNode> read(String text) {
        try {
            return Optional.of(MAPPER.readTree(text)).filter(node -> !node.isMissingNode());
        } catch (JsonProcessingException malformed) {
            return Optional.empty();
        }
    }

    /** Returns the text of a tree, on one line. */
    public static String write(JsonNode node) {
        try {
            return MAPPER.writeValueAsString(node);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("A tree of plain nodes can always be written", e);
        }
    }

    /** Returns the text of a field; empty where it has none. */
    public static String text(JsonNode node, String name) {
        JsonNode value = node.path(name);
        return value.isTextual() ? value.textValue() : "";
    }
}
