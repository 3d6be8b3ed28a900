package dev.parley.adapter.slack.outbound;

import com.fasterxml.jackson.databind.JsonNode;
import dev.parley.domain.turn.Outgoing;
import java.util.Map;

/**
 * What people do not see of a message.
 *
 * @param event what it is
 * @param id the outgoing message and its piece; of a preview the turn
 * @param life the process that shows a preview; empty for what is whole
 */
record Mark(String event, String id, String life) {
    private static final String MESSAGE = "parley_message";
    private static final String PREVIEW = "parley_preview";

    /** Returns the mark of a piece. */
    static Mark of(Outgoing message, int number) {
        return new Mark(MESSAGE, message.id().value() + "." + number, "");
    }

    /** Returns the mark of what a process shows of a turn before it is whole. */
    static Mark preview(String turn, String life) {
        return new Mark(PREVIEW, turn, life);
    }

    /** Returns the mark of a message that Slack has; its event is empty where there is none. */
    static Mark of(JsonNode message) {
        JsonNode metadata = message.path("metadata");
        JsonNode payload = metadata.path("event_payload");
        return new Mark(
                metadata.path("event_type").asText(),
                payload.path("id").asText(),
                payload.path("life").asText());
    }

    Map<String, Object> metadata() {
        return Map.of("event_type", event, "event_payload", Map.of("id", id, "life", life));
    }

    boolean isPreview() {
        return event.equals(PREVIEW);
    }

    /** Returns whether it is the preview of a turn. */
    boolean shows(String turn) {
        return isPreview() && id.equals(turn);
    }
}
