package dev.parley.adapter.acp;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.parley.adapter.kit.json.Json;
import dev.parley.application.port.AgentTurn;
import dev.parley.domain.transcript.Message;
import dev.parley.domain.transcript.Role;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** What a program is told, as blocks of text. */
final class Prompts {
    private static final int LONGEST_HISTORY = 200_000;

    private Prompts() {}

    /**
     * Returns the parameters of a prompt.
     *
     * @param begins whether the program's session begins: then it is told where it is and what was said before
     */
    static ObjectNode of(String session, AgentTurn turn, boolean begins) {
        ObjectNode parameters = Json.object().put("sessionId", session);
        ArrayNode blocks = parameters.putArray("prompt");
        if (begins && !turn.prompt().isBlank()) {
            add(blocks, turn.prompt());
        }
        if (begins && !turn.history().isEmpty()) {
            add(blocks, "This is what was said before, oldest first:\n\n" + told(turn.history()));
        }
        turn.injected().forEach(message -> add(blocks, message.content().plainText()));
        add(blocks, turn.input().content().plainText());
        return parameters;
    }

    /** Returns the parameters of a prompt for a summary. */
    static ObjectNode summary(String session, List<Message> history, Optional<String> focus) {
        ObjectNode parameters = Json.object().put("sessionId", session);
        add(
                parameters.putArray("prompt"),
                "Summarise this conversation so that it can go on from your summary alone. Keep names, numbers, decisions, open"
                        + " questions and promises. Use no tools. Answer with the summary only."
                        + focus.map(f -> " Keep above all what concerns: " + f).orElse("") + "\n\n" + told(history));
        return parameters;
    }

    /** Returns the texts that a program is given or was given before. */
    static List<String> texts(AgentTurn turn) {
        return Stream.concat(
                        Stream.of(turn.prompt()),
                        Stream.of(turn.history(), turn.injected(), List.of(turn.input()))
                                .flatMap(messages -> texts(messages).stream()))
                .toList();
    }

    /** Returns the texts of messages. */
    static List<String> texts(List<Message> messages) {
        return messages.stream().map(message -> message.content().plainText()).toList();
    }

    private static void add(ArrayNode blocks, String text) {
        blocks.addObject().put("type", "text").put("text", text);
    }

    /** The end of a long conversation matters more than its beginning. */
    private static String told(List<Message> history) {
        StringBuilder text = new StringBuilder();
        for (Message message : history) {
            String said = message.content().plainText();
            if (!said.isBlank() && !message.role().equals(Role.SESSION_META)) {
                text.append(message.role().name()).append(": ").append(said).append("\n\n");
            }
        }
        return text.length() <= LONGEST_HISTORY
                ? text.toString()
                : "…" + text.substring(text.length() - LONGEST_HISTORY);
    }
}
