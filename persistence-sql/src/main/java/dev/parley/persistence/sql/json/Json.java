package dev.parley.persistence.sql.json;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.json.JsonReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Reads and writes JSON text. Safe for concurrent use. */
public final class Json {
    private static final JsonMapper MAPPER = JsonMapper.builder()
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
            .enable(JsonReadFeature.ALLOW_NON_NUMERIC_NUMBERS)
            .build();

    static {
        MAPPER.getFactory()
                .setStreamReadConstraints(StreamReadConstraints.builder()
                        .maxStringLength(Integer.MAX_VALUE)
                        .build());
    }

    private Json() {}

    /** Returns an empty object to be filled. */
    public static ObjectNode object() {
        return MAPPER.createObjectNode();
    }

    /** Returns the mapper, for whole files. */
    public static JsonMapper mapper() {
        return MAPPER;
    }

    /** Returns the value as text, non-ASCII characters as they are. */
    public static String write(Object value) {
        try {
            return MAPPER.writeValueAsString(value);
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException("A value of " + value.getClass() + " cannot be written as JSON.", e);
        }
    }

    /** Returns what the text says; absent where it is no JSON. */
    public static Optional<JsonNode> read(@Nullable String text) {
        if (text == null || text.isEmpty()) {
            return Optional.empty();
        }
        try {
            JsonNode node = MAPPER.readTree(text);
            return node == null || node.isMissingNode() ? Optional.empty() : Optional.of(node);
        } catch (JsonProcessingException e) {
            return Optional.empty();
        }
    }

    /** Returns the members of an object as plain values, in order; absent where the node is no object. */
    public static Optional<Map<String, @Nullable Object>> members(JsonNode node) {
        if (!node.isObject()) {
            return Optional.empty();
        }
        Map<String, @Nullable Object> members = new LinkedHashMap<>();
        node.properties().forEach(member -> members.put(member.getKey(), plain(member.getValue())));
        return Optional.of(members);
    }

    private static @Nullable Object plain(JsonNode value) {
        if (value.isNull()) {
            return null;
        }
        if (value.isTextual()) {
            return value.textValue();
        }
        if (value.isBoolean()) {
            return value.booleanValue();
        }
        return value.isNumber() ? value.decimalValue() : value;
    }
}
