package dev.parley.fakes.matrix;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Optional;

/**
 * A message as the people of a room see it.
 *
 * @param room the room
 * @param id the event
 * @param sender who wrote it
 * @param thread the event that its thread begins with; absent outside threads
 * @param replyTo the message it answers; absent where clients show no reply
 * @param text its body as it reads now
 * @param content its content as it is now
 * @param edits how often it was changed
 */
public record Shown(
        String room,
        String id,
        String sender,
        Optional<String> thread,
        Optional<String> replyTo,
        String text,
        JsonNode content,
        int edits) {}
