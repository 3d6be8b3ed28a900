package dev.parley.persistence.sql.json;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.parley.domain.text.RawJson;
import dev.parley.domain.text.Unicode;
import dev.parley.domain.transcript.ToolCall;
import dev.parley.domain.transcript.ToolCalls;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The tool_calls column of a message: a JSON list in the usual shape of function calls (storage 4.1). */
public final class ToolCallsText {
    private ToolCallsText() {}

    /** Returns the column's text; null where there are no calls, also for an empty list or object. */
    public static @Nullable String write(Optional<ToolCalls> calls) {
        if (calls.isEmpty()) {
            return null;
        }
        Optional<RawJson> given = calls.get().json();
        return given.isPresent()
                ? RawJsonText.write(given)
                : calls.get().calls().isEmpty() ? null : render(calls.get().calls());
    }

    /** Returns the column's text as it is, also for an empty list or object; null for nothing. */
    public static @Nullable String writeUnchanged(Optional<ToolCalls> calls) {
        return calls.map(c -> c.json().map(RawJson::text).orElseGet(() -> render(c.calls())))
                .map(Unicode::wellFormed)
                .orElse(null);
    }

    /** Returns the calls; absent for null or empty text, and without any call where the text cannot be read (storage 4.3). */
    public static Optional<ToolCalls> read(@Nullable String column) {
        if (column == null || column.isEmpty()) {
            return Optional.empty();
        }
        Optional<JsonNode> list = Json.read(column).filter(JsonNode::isArray);
        List<ToolCall> calls = new ArrayList<>();
        list.ifPresent(nodes -> nodes.forEach(node -> call(node).ifPresent(calls::add)));
        return Optional.of(new ToolCalls(
                Optional.of(new RawJson(column)),
                calls,
                list.map(JsonNode::size).orElse(1)));
    }

    private static Optional<ToolCall> call(JsonNode node) {
        if (!node.isObject()) {
            return Optional.empty();
        }
        JsonNode function = node.path("function").isObject() ? node.path("function") : node;
        return Optional.of(
                new ToolCall(text(node.path("id")), text(function.path("name")), text(function.path("arguments"))));
    }

    private static String text(JsonNode value) {
        if (value.isMissingNode() || value.isNull()) {
            return "";
        }
        return value.isTextual() ? value.textValue() : value.toString();
    }

    private static String render(List<ToolCall> calls) {
        ArrayNode list = Json.mapper().createArrayNode();
        for (ToolCall call : calls) {
            ObjectNode node = list.addObject();
            node.put("id", Unicode.wellFormed(call.id()));
            node.put("type", "function");
            ObjectNode function = node.putObject("function");
            function.put("name", Unicode.wellFormed(call.name()));
            function.put("arguments", Unicode.wellFormed(call.arguments()));
        }
        return list.toString();
    }
}
