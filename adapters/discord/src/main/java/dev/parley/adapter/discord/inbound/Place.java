package dev.parley.adapter.discord.inbound;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.parley.adapter.kit.json.Json;
import java.util.Optional;

/**
 * Up to where a channel is settled.
 *
 * @param chat what the channel is; absent where that is not known
 * @param at the latest message that is settled; absent where none is
 * @param ours whether the bot takes part in the thread
 */
record Place(Optional<Chat> chat, Optional<Snowflake> at, boolean ours) {
    /** Nothing settled yet. */
    static final Place NONE = new Place(Optional.empty(), Optional.empty(), false);

    /** Returns this with a message settled. */
    Place settled(Snowflake id) {
        Snowflake latest = at.filter(before -> before.compareTo(id) > 0).orElse(id);
        return new Place(chat, Optional.of(latest), ours);
    }

    /** Returns this with the bot taking part. */
    Place joined() {
        return new Place(chat, at, true);
    }

    /** Returns this with what the channel is. */
    Place of(Chat found) {
        return new Place(Optional.of(found), at, ours);
    }

    /** Returns this as text. */
    String text() {
        ObjectNode json = Json.object();
        chat.ifPresent(each -> {
            json.put("guild", each.guild().orElse(""));
            json.put("parent", each.parent().orElse(""));
        });
        at.ifPresent(id -> json.put("at", id.text()));
        return json.put("ours", ours).toString();
    }

    /** Reads a text; absent where it is none of ours. */
    static Optional<Place> of(Optional<String> text) {
        if (text.isEmpty()) {
            return Optional.empty();
        }
        try {
            JsonNode json = Json.MAPPER.readTree(text.get());
            Optional<Chat> chat = json.has("guild")
                    ? Optional.of(new Chat(Chat.text(json, "guild"), Chat.text(json, "parent"), "", "", ""))
                    : Optional.empty();
            return Optional.of(new Place(
                    chat,
                    Snowflake.of(json.path("at").asText()),
                    json.path("ours").asBoolean(false)));
        } catch (JsonProcessingException notOurs) {
            return Optional.empty();
        }
    }
}
