package dev.parley.fakes.discord;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Optional;

/**
 * A message as people see it now.
 *
 * @param id its id
 * @param text its text, as Discord's Markdown
 * @param replyTo the message that it replies to
 * @param buttons what the buttons below it send
 * @param files the names of its files
 * @param edited whether it was changed
 * @param message everything there is of it
 */
public record Shown(
        String id,
        String text,
        Optional<String> replyTo,
        List<String> buttons,
        List<String> files,
        boolean edited,
        JsonNode message) {
    /** Copies the lists. */
    public Shown {
        buttons = List.copyOf(buttons);
        files = List.copyOf(files);
    }
}
