package dev.parley.application.agents;

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

/**
 * A conversation as models take it, for agents that put it into the words of a library: each call of a tool has its result right behind it,
 * a result without a call is left out, and no text is blank but that of an assistant who only asks for tools.
 */
public final class ModelConversation {
    /** Stands for a result that a tool did not give. */
    public static final String NO_RESULT = "(no result)";

    private static final String NO_TEXT = "(no text)";

    private final List<Line> lines = new ArrayList<>();
    private final Map<String, ToolCall> open = new LinkedHashMap<>();

    private ModelConversation() {}

    /** One message of the conversation. */
    public sealed interface Line {}

    /**
     * Instructions.
     *
     * @param text what they say
     */
    public record Instructed(String text) implements Line {}

    /**
     * Something that a person said.
     *
     * @param text what they said
     */
    public record Asked(String text) implements Line {}

    /**
     * Something that the model said.
     *
     * @param text what it said; blank only where it asked for tools
     * @param calls the tools it asked for
     */
    public record Answered(String text, List<ToolCall> calls) implements Line {
        public Answered {
            calls = List.copyOf(calls);
        }
    }

    /**
     * What a tool returned.
     *
     * @param call the call
     * @param text what it returned
     */
    public record Returned(ToolCall call, String text) implements Line {
        public Returned {
            text = text.isBlank() ? NO_RESULT : text;
        }
    }

    /**
     * Returns what a model is given for a turn: the prompt, the history, what was injected, the input.
     *
     * @param systemPrompt what stands before the prompt of the gateway
     */
    public static List<Line> of(Optional<String> systemPrompt, AgentTurn turn) {
        ModelConversation conversation = new ModelConversation();
        conversation.instruct(
                systemPrompt.map(before -> before + "\n\n" + turn.prompt()).orElse(turn.prompt()));
        conversation.add(turn);
        return List.copyOf(conversation.lines);
    }

    /** Returns what a model is given for a turn beside the prompt: the history, what was injected, the input. */
    public static List<Line> withoutPrompt(AgentTurn turn) {
        ModelConversation conversation = new ModelConversation();
        conversation.add(turn);
        return List.copyOf(conversation.lines);
    }

    /** Returns what a model is given that is to summarise a conversation. */
    public static List<Line> summary(List<Message> history, Optional<String> focus) {
        StringBuilder text = new StringBuilder();
        history.forEach(message -> text.append(message.role().name())
                .append(": ")
                .append(message.content().plainText())
                .append('\n'));
        return List.of(
                new Instructed(
                        "You summarise a conversation so that it can go on from your summary alone. Keep names, numbers,"
                                + " decisions, open questions and promises. Answer with the summary only."
                                + focus.map(f -> " Keep above all what concerns: " + f)
                                        .orElse("")),
                new Asked(text.isEmpty() ? "(nothing was said)" : text.toString()));
    }

    private void add(AgentTurn turn) {
        turn.history().forEach(this::add);
        turn.injected().forEach(this::add);
        add(turn.input());
    }

    private void instruct(String text) {
        if (!text.isBlank()) {
            lines.add(new Instructed(text));
        }
    }

    private void add(Message message) {
        Role role = message.role();
        String text = message.content().plainText();
        if (role.equals(Role.TOOL)) {
            Optional.ofNullable(open.remove(message.toolCallId().orElse("")))
                    .ifPresent(call -> lines.add(new Returned(call, text)));
            return;
        }
        open.values().forEach(call -> lines.add(new Returned(call, NO_RESULT)));
        open.clear();
        if (role.equals(Role.ASSISTANT)) {
            answer(text, message.toolCalls().map(ToolCalls::calls).orElse(List.of()));
        } else if (role.equals(Role.SYSTEM)) {
            instruct(text);
        } else if (!role.equals(Role.SESSION_META)) {
            lines.add(new Asked(text.isBlank() ? NO_TEXT : text));
        }
    }

    private void answer(String text, List<ToolCall> calls) {
        List<ToolCall> named =
                calls.stream().filter(call -> !call.id().isEmpty()).toList();
        if (!named.isEmpty() || !text.isBlank()) {
            lines.add(new Answered(text, named));
        }
        named.forEach(call -> open.put(call.id(), call));
    }
}
