package dev.parley.persistence.jsonl.record;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectReader;
import com.fasterxml.jackson.databind.cfg.JsonNodeFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;

/** The one JSON configuration of this module: strict about what follows a value, generous about its size. */
public final class Json {
    /** Makes parsers and generators. */
    public static final JsonFactory FACTORY = JsonFactory.builder()
            .streamReadConstraints(StreamReadConstraints.builder()
                    .maxStringLength(Integer.MAX_VALUE)
                    .maxNumberLength(10_000)
                    .build())
            .disable(StreamReadFeature.AUTO_CLOSE_SOURCE)
            .build();

    /** Reads and writes trees. */
    public static final JsonMapper MAPPER = JsonMapper.builder(FACTORY)
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
            .disable(JsonNodeFeature.STRIP_TRAILING_BIGDECIMAL_ZEROES)
            .build();

    /** Reads one tree and refuses anything behind it. */
    public static final ObjectReader TREE = MAPPER.reader();

    private Json() {}

    /** Returns the text with halves of surrogate pairs, which UTF-8 cannot hold, replaced by U+FFFD (storage 4.1). */
    public static String wellFormed(String text) {
        for (int i = 0; i < text.length(); i++) {
            if (isLonely(text, i)) {
                return replaced(text, i);
            }
        }
        return text;
    }

    private static String replaced(String text, int first) {
        StringBuilder fixed = new StringBuilder(text);
        for (int i = first; i < text.length(); i++) {
            if (isLonely(text, i)) {
                fixed.setCharAt(i, '\uFFFD');
            }
        }
        return fixed.toString();
    }

    private static boolean isLonely(String text, int at) {
        char c = text.charAt(at);
        if (!Character.isSurrogate(c)) {
            return false;
        }
        return Character.isHighSurrogate(c)
                ? at + 1 == text.length() || !Character.isLowSurrogate(text.charAt(at + 1))
                : at == 0 || !Character.isHighSurrogate(text.charAt(at - 1));
    }
}
