package dev.parley.bootstrap.json;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.exc.StreamConstraintsException;
import com.fasterxml.jackson.core.io.JsonEOFException;
import com.fasterxml.jackson.core.json.JsonReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.cfg.JsonNodeFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.parley.adapter.kit.json.RowModule;
import dev.parley.domain.text.Unicode;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Writes rows as JSON and reads JSON lines. Non-ASCII text is written as it is, half a surrogate pair as U+FFFD, and numbers as they were
 * given: 2.50 stays 2.50. NaN and Infinity, which no JSON has, are read as they are and written as texts. Safe for concurrent use.
 */
public final class Json {
    private static final int MOST_CHARACTERS = 256 * 1024 * 1024;
    private static final ObjectMapper MAPPER = mapper();

    private Json() {}

    private static ObjectMapper mapper() {
        JsonMapper mapper = JsonMapper.builder()
                .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
                .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
                .disable(JsonNodeFeature.STRIP_TRAILING_BIGDECIMAL_ZEROES)
                .enable(JsonReadFeature.ALLOW_NON_NUMERIC_NUMBERS)
                .addModule(new RowModule())
                .build();
        mapper.getFactory()
                .setStreamReadConstraints(StreamReadConstraints.builder()
                        .maxStringLength(MOST_CHARACTERS)
                        .build());
        return mapper;
    }

    /** Returns a row or a list of rows as JSON on one line. */
    public static String line(@Nullable Object value) {
        try {
            return Unicode.wellFormed(MAPPER.writeValueAsString(value));
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("A row cannot be written as JSON: " + e.getOriginalMessage(), e);
        }
    }

    /** Returns a row or a list of rows as JSON for people. */
    public static String pretty(@Nullable Object value) {
        try {
            return Unicode.wellFormed(MAPPER.writerWithDefaultPrettyPrinter().writeValueAsString(value));
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("A row cannot be written as JSON: " + e.getOriginalMessage(), e);
        }
    }

    /** Returns the value of a JSON text; throws where it is none, with a message of one line that says from where on. */
    public static JsonNode parse(String text) throws MalformedJson {
        try {
            JsonNode node = MAPPER.readTree(text);
            if (node == null || node.isMissingNode()) {
                throw new MalformedJson("not JSON: there is nothing");
            }
            return node;
        } catch (JsonProcessingException e) {
            throw new MalformedJson(inWords(e));
        }
    }

    /** Returns the value of a JSON text as ordered maps, lists, texts, numbers, booleans and null. */
    public static @Nullable Object plain(JsonNode node) {
        return MAPPER.convertValue(node, Object.class);
    }

    /** Returns in one line why a text cannot be read as JSON or YAML. */
    public static String firstLine(JsonProcessingException e) {
        String message = Optional.ofNullable(e.getOriginalMessage()).orElse("cannot be understood");
        return message.strip().split("\\R", 2)[0].strip();
    }

    private static String inWords(JsonProcessingException e) {
        if (e instanceof StreamConstraintsException) {
            return "JSON that is too large or nested too deeply";
        }
        return e instanceof JsonEOFException
                ? "not JSON: it ends too early"
                : "not JSON from character " + e.getLocation().getColumnNr() + " on";
    }
}
