package dev.parley.adapter.http.server;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.core.StreamWriteFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.parley.adapter.kit.json.RowModule;
import dev.parley.application.view.PlainRows;
import dev.parley.domain.text.OneLine;
import dev.parley.domain.text.RawJson;
import dev.parley.domain.text.Unicode;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** JSON as this interface reads and writes it. Safe for concurrent use. */
final class Json {
    private static final int DEPTH = 64;

    private static final JsonMapper MAPPER = JsonMapper.builder(JsonFactory.builder()
                    .streamReadConstraints(StreamReadConstraints.builder()
                            .maxNestingDepth(DEPTH)
                            .maxNumberLength(100)
                            .build())
                    .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
                    .enable(StreamWriteFeature.WRITE_BIGDECIMAL_AS_PLAIN)
                    .build())
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .addModule(new RowModule())
            .build();

    private Json() {}

    /** Reads an object; rejects everything else with one line that says where it goes wrong. */
    static ObjectNode object(byte[] body) {
        try {
            JsonNode node = MAPPER.readTree(utf8(body));
            if (node instanceof ObjectNode object) {
                return object;
            }
            throw new Rejected(400, "The body must be a JSON object, such as {\"chat_id\":\"1\",\"text\":\"hello\"}.");
        } catch (JsonProcessingException e) {
            throw new Rejected(400, "The body is not JSON that can be read: " + cause(e));
        }
    }

    /** Returns a body as text; nothing but UTF-8 in its one valid form is taken. */
    private static String utf8(byte[] body) {
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .onMalformedInput(CodingErrorAction.REPORT)
                    .onUnmappableCharacter(CodingErrorAction.REPORT)
                    .decode(ByteBuffer.wrap(body))
                    .toString();
        } catch (CharacterCodingException e) {
            throw new Rejected(400, "The body is not UTF-8.");
        }
    }

    /** Returns a row as it is written: texts, numbers, booleans, null, lists and maps of them, and JSON that is carried. */
    static JsonNode tree(@Nullable Object value) {
        if (value instanceof Map<?, ?> map) {
            ObjectNode node = MAPPER.createObjectNode();
            map.forEach((name, each) -> node.set(String.valueOf(name), tree(each)));
            return node;
        }
        if (value instanceof Iterable<?> list) {
            ArrayNode node = MAPPER.createArrayNode();
            list.forEach(each -> node.add(tree(each)));
            return node;
        }
        if (value instanceof RawJson || value instanceof PlainRows.OrNull || value instanceof Double) {
            return MAPPER.getNodeFactory().pojoNode(value);
        }
        return MAPPER.valueToTree(value);
    }

    static ObjectNode object() {
        return MAPPER.createObjectNode();
    }

    static Map<?, ?> map(ObjectNode node) {
        return MAPPER.convertValue(node, Map.class);
    }

    static byte[] bytes(JsonNode node) {
        return text(node).getBytes(StandardCharsets.UTF_8);
    }

    static String text(JsonNode node) {
        try {
            return Unicode.wellFormed(MAPPER.writeValueAsString(node));
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("A tree of plain nodes can always be written", e);
        }
    }

    static ObjectNode error(String message) {
        return object().put("error", message);
    }

    private static String cause(JsonProcessingException e) {
        String what = OneLine.quoted(String.valueOf(e.getOriginalMessage()));
        return e.getLocation() == null
                ? what
                : what + " at line " + e.getLocation().getLineNr() + ", column "
                        + e.getLocation().getColumnNr() + ".";
    }
}
