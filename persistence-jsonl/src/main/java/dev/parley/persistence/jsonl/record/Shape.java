package dev.parley.persistence.jsonl.record;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** How values of one type are written and read. */
interface Shape {
    /** Writes the value. */
    void write(JsonGenerator json, Object value) throws IOException;

    /** Reads the value that the parser stands at; leaves the parser at its last token. */
    Object read(JsonParser json) throws IOException;

    /** Returns the value that is left out when written, or null where every value is written. */
    default @Nullable Object absent() {
        return null;
    }
}
