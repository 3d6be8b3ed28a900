package dev.parley.adapter.openai;

import com.fasterxml.jackson.databind.JsonNode;
import dev.parley.adapter.kit.json.Json;
import dev.parley.application.port.Ids;
import dev.parley.domain.transcript.Reasoning;
import dev.parley.domain.transcript.ToolCall;
import dev.parley.domain.usage.TokenUsage;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** One answer of the model, put together from the pieces in which it comes. */
final class Completion {
    private static final int CALL_SIZE = 200;
    /** More than any model reads or writes in one call. */
    private static final long MOST_TOKENS = 100_000_000;

    private final StringBuilder text = new StringBuilder();
    private final StringBuilder reasoning = new StringBuilder();
    private final Map<Integer, Call> calls = new TreeMap<>();
    private Optional<String> finishReason = Optional.empty();
    private Optional<String> model = Optional.empty();
    private TokenUsage tokens = TokenUsage.NONE;
    private long promptTokens;
    private boolean anything;
    private long size;

    private static final class Call {
        private String id = "";
        private String name = "";
        private final StringBuilder arguments = new StringBuilder();
    }

    /** Adds a piece; returns what the model said in it, possibly nothing. */
    String add(JsonNode chunk) {
        if (!Json.text(chunk, "model").isEmpty()) {
            model = Optional.of(Json.text(chunk, "model"));
        }
        if (chunk.path("usage").isObject()) {
            count(chunk.path("usage"));
        }
        JsonNode choice = chunk.path("choices").path(0);
        if (choice.path("finish_reason").isTextual()) {
            finishReason = Optional.of(choice.path("finish_reason").textValue());
        }
        return message(choice.has("delta") ? choice.path("delta") : choice.path("message"));
    }

    private String message(JsonNode message) {
        String thought = message.path("reasoning_content").isTextual()
                ? Json.text(message, "reasoning_content")
                : Json.text(message, "reasoning");
        reasoning.append(thought);
        size += thought.length();
        JsonNode pieces = message.path("tool_calls");
        for (int i = 0; i < pieces.size(); i++) {
            add(i, pieces.path(i));
        }
        String said = Json.text(message, "content") + Json.text(message, "refusal");
        text.append(said);
        size += said.length();
        anything |= !said.isEmpty() || !pieces.isEmpty();
        return said;
    }

    /** The id and the name of a call come once, its arguments in fragments; a whole message has no indexes. */
    private void add(int place, JsonNode piece) {
        Call call = calls.computeIfAbsent(piece.path("index").asInt(place), index -> begun());
        if (!Json.text(piece, "id").isEmpty()) {
            call.id = Json.text(piece, "id");
        }
        JsonNode function = piece.path("function");
        if (!Json.text(function, "name").isEmpty()) {
            call.name = Json.text(function, "name");
        }
        JsonNode arguments = function.path("arguments");
        String fragment = arguments.isContainerNode() ? Json.write(arguments) : arguments.asText("");
        call.arguments.append(fragment);
        size += fragment.length() + call.id.length() + call.name.length();
    }

    private Call begun() {
        size += CALL_SIZE;
        return new Call();
    }

    /** Returns how many characters the model has said, thought and asked with; a call counts for more than its text. */
    long size() {
        return size;
    }

    /**
     * Cached tokens are part of the prompt's, tokens of reasoning part of the answer's; here each is counted once. Counts that no model
     * reaches are not believed.
     */
    private void count(JsonNode usage) {
        long prompt = usage.path("prompt_tokens").asLong();
        long completion = usage.path("completion_tokens").asLong();
        if (!isPlausible(prompt) || !isPlausible(completion)) {
            return;
        }
        long cached = part(usage.path("prompt_tokens_details").path("cached_tokens"), prompt);
        long thought = part(usage.path("completion_tokens_details").path("reasoning_tokens"), completion);
        promptTokens = prompt;
        tokens = new TokenUsage(prompt - cached, completion - thought, cached, 0, thought);
    }

    private static boolean isPlausible(long count) {
        return count >= 0 && count <= MOST_TOKENS;
    }

    private static long part(JsonNode count, long whole) {
        return Math.max(0, Math.min(whole, count.asLong()));
    }

    /** Returns whether the model has said or asked for anything. */
    boolean hasAnything() {
        return anything;
    }

    boolean isFinished() {
        return finishReason.isPresent();
    }

    String text() {
        return text.toString();
    }

    Optional<String> finishReason() {
        return finishReason;
    }

    Optional<String> model() {
        return model;
    }

    TokenUsage tokens() {
        return tokens;
    }

    long promptTokens() {
        return promptTokens;
    }

    Reasoning reasoning() {
        return reasoning.isEmpty()
                ? Reasoning.NONE
                : new Reasoning(
                        Optional.of(reasoning.toString()),
                        Optional.of(reasoning.toString()),
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty());
    }

    /** Returns the calls; one that came without an id gets one. */
    List<ToolCall> calls(Ids ids) {
        return calls.values().stream()
                .map(call -> new ToolCall(
                        call.id.isEmpty() ? ids.unique("call") : call.id, call.name, call.arguments.toString()))
                .toList();
    }
}
