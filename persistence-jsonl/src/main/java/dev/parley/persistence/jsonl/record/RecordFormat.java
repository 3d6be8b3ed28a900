package dev.parley.persistence.jsonl.record;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import dev.parley.application.port.StrippedFailure;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.DateTimeException;

/**
 * The JSON form of one type of record: an object of its components by name. A record of nothing but one text is that text; one of
 * a family is an object with its name as the only key; what is absent, empty, zero or false is left out; instants are ISO texts
 * to the nanosecond. Reading what was written gives an equal record, save for half surrogate pairs, which become U+FFFD, and the
 * components of a source that are never stored (S1.11). Unknown keys are ignored. Safe for concurrent use.
 *
 * @param <T> the type
 */
public final class RecordFormat<T> {
    private final Class<T> type;
    private final Shape shape;

    private RecordFormat(Class<T> type) {
        this.type = type;
        this.shape = Shapes.of(type);
    }

    /** Returns the format of a record or of a sealed family of records. */
    public static <T> RecordFormat<T> of(Class<T> type) {
        return new RecordFormat<>(type);
    }

    /** Writes a value where a value is due. */
    public void write(JsonGenerator json, T value) throws IOException {
        shape.write(json, value);
    }

    /** Reads the value that the parser stands at. Throws {@link IOException} where it is not of this form. */
    public T read(JsonParser json) throws IOException {
        try {
            return type.cast(shape.read(json));
        } catch (JsonProcessingException e) {
            throw malformed(e);
        } catch (IllegalArgumentException | NullPointerException | DateTimeException e) {
            throw new IOException(
                    "not a " + type.getSimpleName() + ": " + StrippedFailure.told(e), StrippedFailure.of(e));
        }
    }

    /** Returns the value as UTF-8. */
    public byte[] toBytes(T value) {
        ByteArrayOutputStream out = new ByteArrayOutputStream(512);
        try (JsonGenerator json = Json.FACTORY.createGenerator(out)) {
            write(json, value);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return out.toByteArray();
    }

    /** Reads a whole text. Throws {@link IOException} where it is not of this form. */
    public T fromBytes(byte[] text) throws IOException {
        try (JsonParser json = Json.FACTORY.createParser(text)) {
            return only(json);
        }
    }

    /** Reads a whole text. Throws {@link IOException} where it is not of this form. */
    public T fromText(String text) throws IOException {
        try (JsonParser json = Json.FACTORY.createParser(text)) {
            return only(json);
        }
    }

    private T only(JsonParser json) throws IOException {
        try {
            json.nextToken();
            T value = read(json);
            if (json.nextToken() != null) {
                throw new IOException("something follows the " + type.getSimpleName());
            }
            return value;
        } catch (JsonProcessingException e) {
            throw malformed(e);
        }
    }

    private static IOException malformed(JsonProcessingException e) {
        return new IOException(Json.malformed(e), StrippedFailure.of(e));
    }

    static void expect(JsonParser json, JsonToken token) throws IOException {
        if (json.currentToken() != token) {
            throw new IOException("found " + json.currentToken() + " where " + token + " is due");
        }
    }
}
