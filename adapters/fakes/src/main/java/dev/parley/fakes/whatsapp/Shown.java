package dev.parley.fakes.whatsapp;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Optional;

/**
 * A message of the number as a person sees it.
 *
 * @param id its id
 * @param type what it is: {@code text}, {@code interactive}, {@code image}, …
 * @param text its text or caption, with its marks
 * @param replyTo the message it replies to
 * @param choices the ids of its buttons or of its list's rows
 * @param file the file it carries
 * @param message everything there is of it
 */
public record Shown(
        String id,
        String type,
        String text,
        Optional<String> replyTo,
        List<String> choices,
        Optional<byte[]> file,
        JsonNode message) {
    /** Copies the choices. */
    public Shown {
        choices = List.copyOf(choices);
    }
}
