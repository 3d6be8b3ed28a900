package dev.parley.adapter.matrix.inbound;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Optional;

/**
 * An event as others refer to it.
 *
 * @param sender who sent it
 * @param text the beginning of what it says; empty where it has no text
 * @param reaction the reaction that it is; absent for all else
 */
record Said(String sender, String text, Optional<Reaction> reaction) {
    private static final int LONGEST = 1_000;

    /**
     * A reaction.
     *
     * @param target the event that it is put on
     * @param key usually an emoji
     */
    record Reaction(String target, String key) {}

    static Said of(JsonNode event) {
        JsonNode content = event.path("content");
        JsonNode relation = content.path("m.relates_to");
        String text = Texts.withoutQuotation(content.path("body").asText(), relation);
        boolean reacts = event.path("type").asText().equals("m.reaction");
        return new Said(
                event.path("sender").asText(),
                text.length() > LONGEST ? text.substring(0, LONGEST) : text,
                reacts
                        ? Optional.of(new Reaction(
                                relation.path("event_id").asText(),
                                relation.path("key").asText()))
                        : Optional.empty());
    }
}
