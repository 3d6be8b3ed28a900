package dev.parley.home;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;

/** The JSON of the home's small files. */
final class HomeJson {
    private static final ObjectMapper MAPPER = JsonMapper.builder()
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .build();

    private HomeJson() {}

    /** Returns a map or a list as JSON on one line. */
    static String line(Object value) {
        try {
            return MAPPER.writeValueAsString(value);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("A note cannot be written as JSON: " + e.getOriginalMessage(), e);
        }
    }

    /** Returns what a text says; throws where it is no JSON, or is empty. */
    static JsonNode parse(String text) throws IOException {
        JsonNode node = MAPPER.readTree(text);
        if (node == null || node.isMissingNode()) {
            throw new IOException("The text is empty.");
        }
        return node;
    }
}
