package dev.parley.adapter.langchain4j;

import dev.langchain4j.agent.tool.ToolExecutionRequest;
import dev.langchain4j.data.message.AiMessage;
import dev.langchain4j.data.message.ChatMessage;
import dev.langchain4j.data.message.SystemMessage;
import dev.langchain4j.data.message.ToolExecutionResultMessage;
import dev.langchain4j.data.message.UserMessage;
import dev.parley.application.port.AgentTurn;
import dev.parley.domain.transcript.Message;
import dev.parley.domain.transcript.Role;
import dev.parley.domain.transcript.ToolCall;
import dev.parley.domain.transcript.ToolCalls;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A conversation as LangChain4j's models read it: each call of a tool has its result right behind it, and no text is blank. */
final class Conversation {
    private static final String NO_RESULT = "(no result)";

    private final List<ChatMessage> messages = new ArrayList<>();
    private final Map<String, ToolExecutionRequest> open = new LinkedHashMap<>();

    private Conversation() {}

    static List<ChatMessage> of(Optional<String> systemPrompt, AgentTurn turn) {
        Conversation conversation = new Conversation();
        conversation.system(
                systemPrompt.map(before -> before + "\n\n" + turn.prompt()).orElse(turn.prompt()));
        turn.history().forEach(conversation::add);
        turn.injected().forEach(conversation::add);
        conversation.add(turn.input());
        return conversation.messages;
    }

    static List<ChatMessage> summary(List<Message> history, Optional<String> focus) {
        Conversation conversation = new Conversation();
        conversation.system(
                "You summarise a conversation so that it can go on from your summary alone. Keep names, numbers,"
                        + " decisions, open questions and promises. Answer with the summary only."
                        + focus.map(f -> " Keep above all what concerns: " + f).orElse(""));
        StringBuilder text = new StringBuilder();
        history.forEach(message -> text.append(message.role().name())
                .append(": ")
                .append(message.content().plainText())
                .append('\n'));
        conversation.messages.add(UserMessage.from(text.isEmpty() ? "(nothing was said)" : text.toString()));
        return conversation.messages;
    }

    private void system(String text) {
        if (!text.isBlank()) {
            messages.add(SystemMessage.from(text));
        }
    }

    private void add(Message message) {
        Role role = message.role();
        String text = message.content().plainText();
        if (role.equals(Role.TOOL)) {
            Optional.ofNullable(open.remove(message.toolCallId().orElse("")))
                    .ifPresent(call -> messages.add(result(call, text)));
            return;
        }
        open.values().forEach(call -> messages.add(result(call, NO_RESULT)));
        open.clear();
        if (role.equals(Role.ASSISTANT)) {
            assistant(text, message.toolCalls().map(ToolCalls::calls).orElse(List.of()));
        } else if (role.equals(Role.SYSTEM)) {
            system(text);
        } else if (!role.equals(Role.SESSION_META)) {
            messages.add(UserMessage.from(text.isBlank() ? "(no text)" : text));
        }
    }

    private void assistant(String text, List<ToolCall> calls) {
        List<ToolExecutionRequest> requests = calls.stream()
                .filter(call -> !call.id().isEmpty())
                .map(call -> ToolExecutionRequest.builder()
                        .id(call.id())
                        .name(call.name())
                        .arguments(call.arguments())
                        .build())
                .toList();
        if (!requests.isEmpty()) {
            messages.add(text.isBlank() ? AiMessage.from(requests) : AiMessage.from(text, requests));
            requests.forEach(request -> open.put(request.id(), request));
        } else if (!text.isBlank()) {
            messages.add(AiMessage.from(text));
        }
    }

    /** Returns what a model is told of a tool it asked for. */
    static ToolExecutionResultMessage result(ToolExecutionRequest call, String text) {
        return ToolExecutionResultMessage.from(call, text.isBlank() ? NO_RESULT : text);
    }
}
