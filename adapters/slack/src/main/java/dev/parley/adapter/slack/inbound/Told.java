package dev.parley.adapter.slack.inbound;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Something that Slack told of a conversation, not yet read.
 *
 * @param kind what it is
 * @param channel the conversation
 * @param id the same each time it is told, in whatever way
 * @param at when it happened, for the order; absent where Slack does not say, then it comes last
 * @param json what was told
 */
record Told(Kind kind, String channel, String id, Optional<Timestamp> at, JsonNode json) {
    /** What can be told. */
    enum Kind {
        /** A message, live or from the history. */
        MESSAGE,
        /** A message was edited. */
        EDIT,
        /** A message was deleted. */
        DELETION,
        /** A reaction was added or taken away. */
        REACTION,
        /** A button was pressed. */
        PRESS,
        /** A slash command. */
        COMMAND,
        /** The conversation has another id. */
        MOVE
    }

    /** Far longer than the ids that Slack makes. */
    private static final Pattern ID = Pattern.compile("[\\x21-\\x7e]{1,100}");

    /** Returns whether a text may be the id of a conversation or of somebody. */
    static boolean isId(String text) {
        return ID.matcher(text).matches();
    }

    /** Returns a message of a conversation's history; absent where it has no timestamp. */
    static Optional<Told> history(String channel, JsonNode message) {
        return Timestamp.of(message.path("ts").asText())
                .map(ts -> new Told(Kind.MESSAGE, channel, ts.text(), Optional.of(ts), message));
    }

    /** Returns what the work of an envelope tells; absent where it is of no use here. */
    static Optional<Told> of(String type, JsonNode payload) {
        return switch (type) {
            case "events_api" -> event(payload.path("event"));
            case "interactive" -> press(payload);
            case "slash_commands" -> command(payload);
            default -> Optional.empty();
        };
    }

    private static Optional<Told> event(JsonNode event) {
        return switch (event.path("type").asText()) {
            case "message", "app_mention" -> message(event);
            case "reaction_added", "reaction_removed" ->
                told(
                        Kind.REACTION,
                        event.path("item").path("channel").asText(),
                        event.path("type").asText() + " " + event.path("user").asText() + " "
                                + event.path("reaction").asText() + " "
                                + event.path("event_ts").asText(),
                        event.path("event_ts").asText(),
                        event);
            case "channel_id_changed" ->
                told(
                        Kind.MOVE,
                        event.path("new_channel_id").asText(),
                        "moved " + event.path("old_channel_id").asText(),
                        event.path("event_ts").asText(),
                        event);
            default -> Optional.empty();
        };
    }

    private static Optional<Told> message(JsonNode event) {
        String channel = event.path("channel").asText();
        String at = event.path("event_ts").asText(event.path("ts").asText());
        return switch (event.path("subtype").asText()) {
            case "message_changed" ->
                told(
                        Kind.EDIT,
                        channel,
                        "edited " + event.path("message").path("ts").asText() + " " + at,
                        at,
                        event);
            case "message_deleted" ->
                told(
                        Kind.DELETION,
                        channel,
                        "deleted " + event.path("deleted_ts").asText(),
                        at,
                        event);
            default -> {
                String ts = event.path("ts").asText();
                // A mention is told twice, as a message and as a mention, with one timestamp.
                yield told(Kind.MESSAGE, channel, ts, ts, marked(event));
            }
        };
    }

    private static JsonNode marked(JsonNode event) {
        return event.path("type").asText().equals("app_mention") && event instanceof ObjectNode object
                ? object.deepCopy().put("mentions_app", true)
                : event;
    }

    private static Optional<Told> press(JsonNode payload) {
        JsonNode action = payload.path("actions").path(0);
        if (!payload.path("type").asText().equals("block_actions")
                || !action.path("type").asText().equals("button")) {
            return Optional.empty();
        }
        String channel = payload.path("channel").path("id").asText();
        String inside = payload.path("container").path("channel_id").asText();
        String at = action.path("action_ts").asText();
        return told(
                Kind.PRESS,
                channel.isEmpty() ? inside : channel,
                "pressed " + at + " " + action.path("action_id").asText(),
                at,
                payload);
    }

    private static Optional<Told> command(JsonNode payload) {
        String trigger = payload.path("trigger_id").asText();
        return trigger.isEmpty()
                ? Optional.empty()
                : told(Kind.COMMAND, payload.path("channel_id").asText(), trigger, "", payload);
    }

    private static Optional<Told> told(Kind kind, String channel, String id, String at, JsonNode json) {
        return !isId(channel) || id.isEmpty()
                ? Optional.empty()
                : Optional.of(new Told(kind, channel, id, Timestamp.of(at), json));
    }
}
