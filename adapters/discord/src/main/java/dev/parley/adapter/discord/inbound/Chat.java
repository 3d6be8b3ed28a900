package dev.parley.adapter.discord.inbound;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Optional;
import java.util.Set;

/**
 * What a channel is.
 *
 * @param guild the guild that it belongs to; absent where it is a direct chat
 * @param parent the channel or the forum that it is a thread of
 * @param name what it is called; empty where that is not known
 * @param topic its topic; empty where it has none
 * @param owner who began the thread; empty where that is not known
 */
record Chat(Optional<String> guild, Optional<String> parent, String name, String topic, String owner) {
    private static final Set<Integer> THREADS = Set.of(10, 11, 12);

    /** A direct chat. */
    static final Chat DIRECT = new Chat(Optional.empty(), Optional.empty(), "", "", "");

    /** Returns a channel as Discord describes it; the guild is the given one where it is not named. */
    static Chat of(JsonNode json, Optional<String> around) {
        Optional<String> guild = text(json, "guild_id").or(() -> around);
        boolean thread = THREADS.contains(json.path("type").asInt());
        return new Chat(
                guild,
                thread ? text(json, "parent_id") : Optional.empty(),
                json.path("name").asText(""),
                text(json, "topic").orElse(""),
                json.path("owner_id").asText(""));
    }

    /** Returns a channel of which nothing but its guild is known. */
    static Chat inGuild(String guild) {
        return new Chat(Optional.of(guild), Optional.empty(), "", "", "");
    }

    boolean isDirect() {
        return guild.isEmpty();
    }

    static Optional<String> text(JsonNode json, String field) {
        return Optional.of(json.path(field))
                .filter(JsonNode::isTextual)
                .map(JsonNode::asText)
                .map(String::strip)
                .filter(text -> !text.isEmpty());
    }
}
