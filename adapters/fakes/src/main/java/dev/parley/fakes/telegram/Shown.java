package dev.parley.fakes.telegram;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Optional;

/**
 * A message of the bot as the people of a chat see it.
 *
 * @param chat the chat
 * @param id its id in the chat
 * @param thread the topic it stands in; absent outside topics and in the general one
 * @param replyTo the message it answers
 * @param text its text or caption as it reads now
 * @param entities its entities as they were sent
 * @param buttons the data of its buttons, row by row
 * @param fileName the file it carries
 * @param edits how often it was changed
 */
public record Shown(
        long chat,
        long id,
        Optional<Long> thread,
        Optional<Long> replyTo,
        String text,
        JsonNode entities,
        List<String> buttons,
        Optional<String> fileName,
        int edits) {
    /** Copies the buttons. */
    public Shown {
        buttons = List.copyOf(buttons);
    }

    Shown edited(String newText, JsonNode newEntities, List<String> newButtons) {
        return new Shown(chat, id, thread, replyTo, newText, newEntities, newButtons, fileName, edits + 1);
    }
}
