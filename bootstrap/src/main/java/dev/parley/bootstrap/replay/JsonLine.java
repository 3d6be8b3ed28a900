package dev.parley.bootstrap.replay;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import com.fasterxml.jackson.databind.deser.std.StdDeserializer;
import com.fasterxml.jackson.databind.exc.MismatchedInputException;
import com.fasterxml.jackson.databind.exc.UnrecognizedPropertyException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.module.SimpleModule;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.parley.application.port.AgentQuestion;
import dev.parley.application.port.AgentRun;
import dev.parley.application.port.InvalidRequest;
import dev.parley.application.replay.ScriptedTurn;
import dev.parley.bootstrap.json.Json;
import dev.parley.bootstrap.json.MalformedJson;
import dev.parley.domain.text.Nearest;
import dev.parley.domain.text.OneLine;
import java.io.IOException;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.LocalDateTime;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A line of a file that holds a JSON object. Every mistake in it is an {@link InvalidRequest} of one line that names file and line.
 *
 * @param where file and line, for messages
 * @param node the object
 */
record JsonLine(String where, ObjectNode node) {
    private static final int SHOWN = 80;
    private static final JsonMapper MAPPER = mapper();

    /** Reads a line. */
    static JsonLine parse(String where, String line) {
        try {
            JsonNode node = Json.parse(line);
            if (node instanceof ObjectNode object) {
                return new JsonLine(where, object);
            }
            throw new InvalidRequest(where + ": the line is " + shown(node) + "; write a JSON object.");
        } catch (MalformedJson e) {
            throw new InvalidRequest(where + ": " + e.getMessage() + "; write one JSON object per line.");
        }
    }

    InvalidRequest wrong(String message) {
        return new InvalidRequest(where + ": " + message);
    }

    /** Returns whether the field is there, null included. */
    boolean has(String name) {
        return node.has(name);
    }

    /** Returns a value that must be there. */
    <T> T needed(String name, @Nullable T value, String example) {
        if (value == null) {
            throw wrong("\"" + name + "\" is missing; write " + example + ".");
        }
        return value;
    }

    /**
     * Returns the line as a record.
     *
     * @param what what the line is, for messages
     * @param beside the fields that are read elsewhere
     */
    <T> T as(Class<T> form, String what, String... beside) {
        ObjectNode rest = node.deepCopy().remove(List.of(beside));
        try {
            return MAPPER.treeToValue(rest, form);
        } catch (UnrecognizedPropertyException e) {
            throw wrong(unknown(e, what, beside));
        } catch (MismatchedInputException e) {
            throw wrong(unfit(e, rest));
        } catch (JsonProcessingException e) {
            throw wrong(OneLine.cut(String.valueOf(e.getOriginalMessage()), SHOWN));
        }
    }

    /** Returns an object in the line as a record; fields that the record does not have are passed over. */
    <T> T lenient(Class<T> form, JsonNode object) {
        try {
            return MAPPER.readerFor(form)
                    .without(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
                    .readValue(object);
        } catch (MismatchedInputException e) {
            throw wrong(unfit(e, object));
        } catch (IOException e) {
            throw wrong(OneLine.cut(String.valueOf(e.getMessage()), SHOWN));
        }
    }

    private static String unknown(UnrecognizedPropertyException e, String what, String... beside) {
        String name = e.getPropertyName();
        boolean top = e.getPath().size() == 1;
        Set<String> known = new TreeSet<>(top ? List.of(beside) : List.of());
        e.getKnownPropertyIds().forEach(id -> known.add(String.valueOf(id)));
        return "\"" + name + "\" is no field of "
                + (top ? what : subject(e.getPath().subList(0, e.getPath().size() - 1)))
                + Nearest.to(name, known)
                        .map(near -> "; did you mean \"" + near + "\"?")
                        .orElse("; there are " + String.join(", ", known) + ".");
    }

    private static String unfit(MismatchedInputException e, JsonNode root) {
        JsonNode value = root;
        for (JsonMappingException.Reference step : e.getPath()) {
            value = step.getFieldName() != null ? value.path(step.getFieldName()) : value.path(step.getIndex());
        }
        return subject(e.getPath()) + " is " + shown(value) + "; " + hint(e);
    }

    private static String hint(MismatchedInputException e) {
        if (e instanceof Unfit) {
            return e.getOriginalMessage();
        }
        Class<?> target = e.getTargetType();
        return target != null && Collection.class.isAssignableFrom(target) ? "write a list." : "write a JSON object.";
    }

    private static String subject(List<JsonMappingException.Reference> path) {
        for (int i = path.size() - 1; i >= 0; i--) {
            String name = path.get(i).getFieldName();
            if (name != null) {
                return (i < path.size() - 1 ? "an item of " : "") + "\"" + name + "\"";
            }
        }
        return "the line";
    }

    /** Returns a value as messages show it. */
    static String shown(JsonNode value) {
        return switch (value.getNodeType()) {
            case OBJECT -> "an object";
            case ARRAY -> "a list";
            case STRING -> "\"" + OneLine.cut(value.textValue(), SHOWN) + "\"";
            case NUMBER -> OneLine.cut(value.asText(), SHOWN);
            case BOOLEAN -> value.asText();
            default -> "null";
        };
    }

    /** A whole number that is not negative. */
    record Count(long value) {}

    /** A text, also where it is written as a whole number. */
    record Id(String value) {}

    private static JsonMapper mapper() {
        SimpleModule values = new SimpleModule();
        add(values, String.class, "write text.", v -> v.isTextual() ? v.textValue() : null);
        add(values, Boolean.class, "write true or false.", v -> v.isBoolean() ? (Boolean) v.booleanValue() : null);
        add(values, Id.class, "write text.", v -> v.isTextual() || v.isIntegralNumber() ? new Id(v.asText()) : null);
        add(
                values,
                Count.class,
                "write a whole number from 0.",
                v -> v.isIntegralNumber() && v.canConvertToLong() && v.longValue() >= 0
                        ? new Count(v.longValue())
                        : null);
        add(
                values,
                Duration.class,
                "write a duration from 0, such as PT90S.",
                v -> duration(v).filter(d -> !d.isNegative()).orElse(null));
        add(
                values,
                LocalDateTime.class,
                "write a local date and time without an offset, such as 2026-03-10T09:00:00.",
                v -> v.isTextual() ? LocalTimes.read(v.textValue()).orElse(null) : null);
        addWords(values, ScriptedTurn.Outcome.class);
        addWords(values, AgentQuestion.Kind.class);
        addWords(values, AgentRun.Engagement.class);
        addWords(values, ScenarioLine.StoreState.class);
        return JsonMapper.builder()
                .propertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE)
                .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
                .addModule(values)
                .build();
    }

    private static Optional<Duration> duration(JsonNode value) {
        try {
            return value.isTextual() ? Optional.of(Duration.parse(value.textValue())) : Optional.empty();
        } catch (DateTimeException e) {
            return Optional.empty();
        }
    }

    private static <T extends Enum<T>> void addWords(SimpleModule module, Class<T> type) {
        List<String> words = Arrays.stream(type.getEnumConstants())
                .map(each -> each.name().toLowerCase(Locale.ROOT))
                .toList();
        add(module, type, "write one of " + String.join(", ", words) + ".", v -> {
            int at = v.isTextual() ? words.indexOf(v.textValue()) : -1;
            return at < 0 ? null : type.getEnumConstants()[at];
        });
    }

    private static <T> void add(
            SimpleModule module, Class<T> type, String hint, Function<JsonNode, @Nullable T> reading) {
        module.addDeserializer(type, new Value<>(type, hint, reading));
    }

    /** Reads one value, or refuses it. */
    private static final class Value<T> extends StdDeserializer<T> {
        private static final long serialVersionUID = 1L;

        private final String hint;
        private final transient Function<JsonNode, @Nullable T> reading;

        Value(Class<T> type, String hint, Function<JsonNode, @Nullable T> reading) {
            super(type);
            this.hint = hint;
            this.reading = reading;
        }

        @Override
        public T deserialize(JsonParser parser, DeserializationContext context) throws IOException {
            JsonNode given = parser.readValueAsTree();
            T value = reading.apply(given);
            if (value == null) {
                throw new Unfit(parser, hint, handledType());
            }
            return value;
        }
    }

    /** A value that a field cannot have; the message says what to write. */
    private static final class Unfit extends MismatchedInputException {
        private static final long serialVersionUID = 1L;

        Unfit(JsonParser parser, String hint, Class<?> type) {
            super(parser, hint, type);
        }
    }
}
