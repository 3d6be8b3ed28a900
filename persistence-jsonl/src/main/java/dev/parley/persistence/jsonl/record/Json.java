package dev.parley.persistence.jsonl.record;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonProcessingException;
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

    /** Returns where a text is no JSON; the parser's own words, which quote the text, are left out. */
    public static String malformed(JsonProcessingException e) {
        return e.getLocation() == null
                ? "not a whole JSON object"
                : "not a whole JSON object, from column " + e.getLocation().getColumnNr();
    }
}
