package dev.parley.adapter.discord.inbound;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Something that Discord told of a channel, not yet read.
 *
 * @param kind what it is
 * @param channel the channel
 * @param id the same each time it is told, in whatever way
 * @param at its id where that says when it happened, for the order; absent where it comes last
 * @param live whether an event told it, which names its guild, and not a history
 * @param json what was told
 */
record Told(Kind kind, String channel, String id, Optional<Snowflake> at, boolean live, JsonNode json) {
    /** What can be told. */
    enum Kind {
        /** A message. */
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
        COMMAND
    }

    /** Far longer than the ids that Discord makes; it stands in the paths of calls. */
    private static final Pattern ID = Pattern.compile("[0-9A-Za-z_-]{1,64}");

    /** Returns whether a text may be the id of a channel or of somebody. */
    static boolean isId(String text) {
        return ID.matcher(text).matches();
    }

    /** Returns a message of a channel's history; absent where it has no id. */
    static Optional<Told> history(String channel, JsonNode message) {
        return Snowflake.of(message.path("id").asText())
                .map(id -> new Told(Kind.MESSAGE, channel, id.text(), Optional.of(id), false, message));
    }

    /** Returns what an event tells of a channel; absent where it is of no use here. */
    static Optional<Told> of(String type, JsonNode event) {
        String id = event.path("id").asText();
        return switch (type) {
            case "MESSAGE_CREATE" -> told(Kind.MESSAGE, event, id, Snowflake.of(id));
            case "MESSAGE_UPDATE" ->
                event.path("edited_timestamp").isTextual()
                        ? told(
                                Kind.EDIT,
                                event,
                                "edited " + id + " "
                                        + event.path("edited_timestamp").asText(),
                                Optional.empty())
                        : Optional.empty();
            case "MESSAGE_DELETE" -> told(Kind.DELETION, event, "deleted " + id, Optional.empty());
            case "MESSAGE_REACTION_ADD", "MESSAGE_REACTION_REMOVE" ->
                told(
                        Kind.REACTION,
                        event,
                        type + " " + event.path("message_id").asText() + " "
                                + event.path("user_id").asText() + " "
                                + event.path("emoji").path("name").asText(),
                        Optional.empty());
            case "INTERACTION_CREATE" ->
                switch (event.path("type").asInt()) {
                    case 2 -> told(Kind.COMMAND, event, id, Snowflake.of(id));
                    case 3 -> told(Kind.PRESS, event, id, Snowflake.of(id));
                    default -> Optional.empty();
                };
            default -> Optional.empty();
        };
    }

    private static Optional<Told> told(Kind kind, JsonNode event, String id, Optional<Snowflake> at) {
        String channel = event.path("channel_id").asText();
        return !isId(channel) || id.isEmpty()
                ? Optional.empty()
                : Optional.of(new Told(kind, channel, id, at, true, event));
    }
}
