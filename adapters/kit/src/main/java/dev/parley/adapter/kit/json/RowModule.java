package dev.parley.adapter.kit.json;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonFactoryBuilder;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.json.JsonReadFeature;
import com.fasterxml.jackson.databind.SerializerProvider;
import com.fasterxml.jackson.databind.module.SimpleModule;
import com.fasterxml.jackson.databind.ser.std.StdSerializer;
import dev.parley.application.view.PlainRows;
import dev.parley.domain.text.RawJson;
import java.io.IOException;
import java.math.BigDecimal;

/**
 * Teaches a mapper to write the rows of {@link PlainRows}, so that every way out writes the same JSON.
 *
 * <p>Carried JSON is written token by token: on one line, its numbers as they were written (2.50 stays 2.50), its members in their order,
 * also those that occur twice. NaN and Infinity, which no JSON has, become texts. Carried text that is not JSON becomes an empty list, or
 * null where the row asks for null. Numbers with a fraction are written without an exponent and with at least one digit behind the point.
 */
public final class RowModule extends SimpleModule {
    private static final long serialVersionUID = 1L;

    private static final JsonFactory CARRIED = new JsonFactoryBuilder()
            .streamReadConstraints(StreamReadConstraints.builder()
                    .maxStringLength(Integer.MAX_VALUE)
                    .maxNumberLength(Integer.MAX_VALUE)
                    .build())
            .enable(JsonReadFeature.ALLOW_NON_NUMERIC_NUMBERS)
            .build();

    /** Makes the module. */
    public RowModule() {
        super(RowModule.class.getName());
        addSerializer(new CarriedWriter());
        addSerializer(new OrNullWriter());
        addSerializer(new FractionWriter(Double.class));
        addSerializer(new FractionWriter(Double.TYPE));
    }

    private static boolean isJson(RawJson json) {
        try (JsonParser parser = CARRIED.createParser(json.text())) {
            if (parser.nextToken() == null) {
                return false;
            }
            parser.skipChildren();
            return parser.nextToken() == null;
        } catch (IOException malformed) {
            return false;
        }
    }

    private static void copy(RawJson json, JsonGenerator out) throws IOException {
        try (JsonParser parser = CARRIED.createParser(json.text())) {
            for (JsonToken token = parser.nextToken(); token != null; token = parser.nextToken()) {
                if (!token.isNumeric()) {
                    out.copyCurrentEvent(parser);
                } else if (parser.isNaN()) {
                    out.writeString(parser.getText());
                } else {
                    out.writeNumber(parser.getText());
                }
            }
        }
    }

    private static final class CarriedWriter extends StdSerializer<RawJson> {
        private static final long serialVersionUID = 1L;

        CarriedWriter() {
            super(RawJson.class);
        }

        @Override
        public void serialize(RawJson value, JsonGenerator out, SerializerProvider provider) throws IOException {
            if (isJson(value)) {
                copy(value, out);
            } else {
                out.writeStartArray();
                out.writeEndArray();
            }
        }
    }

    private static final class OrNullWriter extends StdSerializer<PlainRows.OrNull> {
        private static final long serialVersionUID = 1L;

        OrNullWriter() {
            super(PlainRows.OrNull.class);
        }

        @Override
        public void serialize(PlainRows.OrNull value, JsonGenerator out, SerializerProvider provider)
                throws IOException {
            if (isJson(value.json())) {
                copy(value.json(), out);
            } else {
                out.writeNull();
            }
        }
    }

    private static final class FractionWriter extends StdSerializer<Double> {
        private static final long serialVersionUID = 1L;

        FractionWriter(Class<Double> type) {
            super(type);
        }

        @Override
        public void serialize(Double value, JsonGenerator out, SerializerProvider provider) throws IOException {
            if (value.isNaN() || value.isInfinite()) {
                out.writeString(value.toString());
            } else {
                BigDecimal plain = BigDecimal.valueOf(value);
                out.writeNumber((plain.scale() < 1 ? plain.setScale(1) : plain).toPlainString());
            }
        }
    }
}
