package dev.parley.adapter.openai;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.parley.adapter.kit.json.Json;
import dev.parley.application.port.AgentTurn;
import dev.parley.domain.transcript.Content;
import dev.parley.domain.transcript.Message;
import dev.parley.domain.transcript.Role;
import dev.parley.domain.transcript.ToolCall;
import dev.parley.domain.transcript.ToolCalls;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A conversation in the form that servers take. They refuse one in which a call of a tool has no result or a result no call, so
 * results without a call are left out and calls without a result get one that says so.
 */
final class Conversation {
    static final String NO_RESULT = "No result of this call is known.";

    private final ArrayNode messages = Json.array();
    private final Map<String, String> open = new LinkedHashMap<>();

    private Conversation() {}

    static ArrayNode of(Optional<String> systemPrompt, AgentTurn turn) {
        Conversation conversation = new Conversation();
        conversation.system(
                systemPrompt.map(before -> before + "\n\n" + turn.prompt()).orElse(turn.prompt()));
        turn.history().forEach(conversation::add);
        turn.injected().forEach(conversation::add);
        conversation.add(turn.input());
        return conversation.messages;
    }

    /** Returns what asks for a summary of a conversation. */
    static ArrayNode summary(List<Message> history, Optional<String> focus) {
        Conversation conversation = new Conversation();
        conversation.system(
                "You summarise a conversation so that it can go on from your summary alone. Keep names, numbers,"
                        + " decisions, open questions and promises. Answer with the summary only."
                        + focus.map(f -> " Keep above all what concerns: " + f).orElse(""));
        StringBuilder text = new StringBuilder();
        for (Message message : history) {
            text.append(message.role().name())
                    .append(": ")
                    .append(message.content().plainText());
            message.toolCalls()
                    .map(ToolCalls::calls)
                    .orElse(List.of())
                    .forEach(call -> text.append(" [calls ")
                            .append(call.name())
                            .append(' ')
                            .append(call.arguments())
                            .append(']'));
            text.append('\n');
        }
        conversation.messages.addObject().put("role", "user").put("content", text.toString());
        return conversation.messages;
    }

    /** Adds what the model said and asked for. */
    static void addAnswer(ArrayNode messages, String text, List<ToolCall> calls) {
        ObjectNode message = messages.addObject().put("role", "assistant");
        if (text.isEmpty() && !calls.isEmpty()) {
            message.putNull("content");
        } else {
            message.put("content", text);
        }
        putCalls(message, calls);
    }

    static void addResult(ArrayNode messages, String callId, String text) {
        messages.addObject().put("role", "tool").put("tool_call_id", callId).put("content", text);
    }

    static void addInput(ArrayNode messages, String text) {
        messages.addObject().put("role", "user").put("content", text);
    }

    private void system(String prompt) {
        if (!prompt.isBlank()) {
            messages.addObject().put("role", "system").put("content", prompt);
        }
    }

    private void add(Message message) {
        Role role = message.role();
        if (role.equals(Role.TOOL)) {
            String callId = message.toolCallId().orElse("");
            if (open.remove(callId) != null) {
                addResult(messages, callId, message.content().plainText());
            }
            return;
        }
        closeCalls();
        if (role.equals(Role.ASSISTANT)) {
            List<ToolCall> calls = message.toolCalls().map(ToolCalls::calls).orElse(List.of()).stream()
                    .filter(call -> !call.id().isEmpty())
                    .toList();
            if (!calls.isEmpty() || !message.content().isBlank()) {
                addAnswer(messages, message.content().plainText(), calls);
                calls.forEach(call -> open.put(call.id(), call.name()));
            }
        } else if (role.equals(Role.SYSTEM)) {
            system(message.content().plainText());
        } else if (!role.equals(Role.SESSION_META)) {
            messages.addObject().put("role", "user").set("content", content(message.content()));
        }
    }

    private void closeCalls() {
        open.keySet().forEach(callId -> addResult(messages, callId, NO_RESULT));
        open.clear();
    }

    private static JsonNode content(Content content) {
        if (content instanceof Content.Multipart parts) {
            Optional<JsonNode> list = Json.read(parts.json().text()).filter(JsonNode::isArray);
            if (list.isPresent()) {
                return list.get();
            }
        }
        return Json.object().textNode(content.plainText());
    }

    private static void putCalls(ObjectNode message, List<ToolCall> calls) {
        if (calls.isEmpty()) {
            return;
        }
        ArrayNode list = message.putArray("tool_calls");
        for (ToolCall call : calls) {
            ObjectNode each = list.addObject().put("id", call.id()).put("type", "function");
            each.putObject("function").put("name", call.name()).put("arguments", call.arguments());
        }
    }
}
