package dev.parley.fakes.slack;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Optional;

/**
 * A message as people see it now.
 *
 * @param ts its timestamp, which names it
 * @param text its text, as Slack's markup
 * @param thread the thread it stands in
 * @param buttons the values of the buttons below it
 * @param files the names of its files
 * @param edited whether it was changed
 * @param message everything there is of it
 */
public record Shown(
        String ts,
        String text,
        Optional<String> thread,
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
