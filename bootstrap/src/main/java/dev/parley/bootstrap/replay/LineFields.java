package dev.parley.bootstrap.replay;

import com.fasterxml.jackson.databind.JsonNode;
import dev.parley.application.port.InvalidRequest;
import dev.parley.bootstrap.json.Json;
import dev.parley.bootstrap.json.MalformedJson;
import dev.parley.domain.text.Nearest;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * The fields of a JSON object in a line of a file; what is wrong with them is said with file and line.
 *
 * @param where file and line, for messages
 * @param node the object
 */
record LineFields(String where, JsonNode node) {

    /** Reads a line; throws {@link InvalidRequest} where it holds no JSON object. */
    static LineFields parse(String where, String line) {
        try {
            return of(where, Json.parse(line), "the line");
        } catch (MalformedJson e) {
            throw new InvalidRequest(where + ": not JSON: " + e.getMessage() + "; write one JSON object per line.");
        }
    }

    private static LineFields of(String where, JsonNode node, String what) {
        if (!node.isObject()) {
            throw new InvalidRequest(where + ": " + what + " is " + kind(node) + "; write a JSON object.");
        }
        return new LineFields(where, node);
    }

    InvalidRequest wrong(String message) {
        return new InvalidRequest(where + ": " + message);
    }

    /** Returns whether the field is there, also where it is null. */
    boolean has(String name) {
        return node.has(name);
    }

    /** Refuses fields that are not among these. */
    void only(String what, String... names) {
        Set<String> known = new TreeSet<>(Set.of(names));
        for (var each : node.properties()) {
            if (!known.contains(each.getKey())) {
                throw wrong("\"" + each.getKey() + "\" is no field of " + what
                        + Nearest.to(each.getKey(), known)
                                .map(near -> "; did you mean \"" + near + "\"?")
                                .orElse("; there are " + String.join(", ", known) + "."));
            }
        }
    }

    /** Returns the value of a field; absent where it is missing or null. */
    Optional<JsonNode> value(String name) {
        return Optional.ofNullable(node.get(name)).filter(v -> !v.isNull());
    }

    /** Returns a text. */
    Optional<String> text(String name) {
        return value(name).map(v -> {
            if (!v.isTextual()) {
                throw wrong("\"" + name + "\" is " + kind(v) + "; write text.");
            }
            return v.textValue();
        });
    }

    /** Returns a text that must be there. */
    String needed(String name, String example) {
        return text(name).orElseThrow(() -> wrong("\"" + name + "\" is missing; write " + example + "."));
    }

    /** Returns a text, also where it is written as a whole number. */
    Optional<String> id(String name) {
        return value(name).map(v -> {
            if (!v.isTextual() && !v.isIntegralNumber()) {
                throw wrong("\"" + name + "\" is " + kind(v) + "; write text.");
            }
            return v.asText();
        });
    }

    boolean flag(String name, boolean byDefault) {
        return value(name)
                .map(v -> {
                    if (!v.isBoolean()) {
                        throw wrong("\"" + name + "\" is " + kind(v) + "; write true or false.");
                    }
                    return v.booleanValue();
                })
                .orElse(byDefault);
    }

    /** Returns a whole number that is not negative; 0 where it is missing. */
    long count(String name) {
        return value(name)
                .map(v -> {
                    if (!v.isIntegralNumber() || !v.canConvertToLong() || v.longValue() < 0) {
                        throw wrong("\"" + name + "\" is " + (v.isNumber() ? v.asText() : kind(v))
                                + "; write a whole number from 0.");
                    }
                    return v.longValue();
                })
                .orElse(0L);
    }

    Optional<LineFields> object(String name) {
        return value(name).map(v -> of(where, v, "\"" + name + "\""));
    }

    /** Returns the items of a list; none where it is missing. */
    List<JsonNode> items(String name) {
        List<JsonNode> items = new ArrayList<>();
        value(name).ifPresent(v -> {
            if (!v.isArray()) {
                throw wrong("\"" + name + "\" is " + kind(v) + "; write a list.");
            }
            v.forEach(items::add);
        });
        return items;
    }

    /** Returns the objects in a list; none where it is missing. */
    List<LineFields> objects(String name) {
        return items(name).stream()
                .map(v -> of(where, v, "an item of \"" + name + "\""))
                .toList();
    }

    /** Returns what kind of value a node is, in words. */
    static String kind(JsonNode node) {
        return switch (node.getNodeType()) {
            case OBJECT -> "an object";
            case ARRAY -> "a list";
            case STRING -> "text";
            case NUMBER -> "a number";
            case BOOLEAN -> "true or false";
            default -> "null";
        };
    }
}
