package dev.parley.adapter.discord.inbound;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import dev.parley.adapter.discord.api.DiscordApi;
import dev.parley.adapter.kit.json.Json;
import java.net.URI;
import java.util.Optional;

/**
 * A session of the gateway, which can be resumed for some minutes.
 *
 * @param id its id
 * @param address where it is resumed
 * @param application the bot's application
 * @param events its events
 */
record Session(String id, Optional<URI> address, String application, Sequence events) {

    /** Returns the session that begins with an answer of Discord's. */
    static Session begun(JsonNode ready, String bot) {
        return new Session(
                ready.path("session_id").asText(),
                DiscordApi.address(ready.path("resume_gateway_url").asText()),
                ready.path("application").path("id").asText(bot),
                new Sequence(0));
    }

    /** Returns this as text, as far as it is settled. */
    String text() {
        return Json.object()
                .put("id", id)
                .put("address", address.map(URI::toString).orElse(""))
                .put("application", application)
                .put("settled", events.settled())
                .toString();
    }

    /** Reads a text; absent where it is none of ours. */
    static Optional<Session> of(Optional<String> text) {
        if (text.isEmpty()) {
            return Optional.empty();
        }
        try {
            JsonNode json = Json.MAPPER.readTree(text.get());
            return Optional.of(json.path("id").asText())
                    .filter(id -> !id.isEmpty())
                    .map(id -> new Session(
                            id,
                            DiscordApi.address(json.path("address").asText()),
                            json.path("application").asText(),
                            new Sequence(json.path("settled").asInt())));
        } catch (JsonProcessingException notOurs) {
            return Optional.empty();
        }
    }
}
