package dev.parley.adapter.slack.inbound;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.parley.adapter.kit.json.Json;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Up to where a conversation is settled.
 *
 * @param kind what kind of conversation it is, in Slack's words such as {@code im}; empty where that is not known
 * @param at the latest message that is settled; absent where none is
 * @param threads the threads that the bot takes part in, by their first message, each with its latest message, the latest thread last
 */
record Place(String kind, Optional<Timestamp> at, Map<String, Timestamp> threads) {
    /** What is read again after an absence, at most. */
    private static final int MOST_THREADS = 50;

    /** Nothing settled yet. */
    static final Place NONE = new Place("", Optional.empty(), Map.of());

    /** Returns this with a message settled. */
    Place settled(Timestamp ts) {
        Timestamp latest = at.filter(before -> before.compareTo(ts) > 0).orElse(ts);
        return new Place(kind, Optional.of(latest), threads);
    }

    /** Returns this with a message of a thread that the bot takes part in. */
    Place within(String root, Timestamp ts) {
        Map<String, Timestamp> next = new LinkedHashMap<>(threads);
        next.remove(root);
        next.put(root, ts);
        while (next.size() > MOST_THREADS) {
            next.remove(next.keySet().iterator().next());
        }
        return new Place(kind, at, next);
    }

    /** Returns this with its kind. */
    Place of(String found) {
        return new Place(found, at, threads);
    }

    /** Returns this as text. */
    String text() {
        ObjectNode json = Json.object().put("kind", kind);
        at.ifPresent(ts -> json.put("at", ts.text()));
        ObjectNode each = json.putObject("threads");
        threads.forEach((root, ts) -> each.put(root, ts.text()));
        return json.toString();
    }

    /** Reads a text; absent where it is none of ours. */
    static Optional<Place> of(Optional<String> text) {
        if (text.isEmpty()) {
            return Optional.empty();
        }
        try {
            JsonNode json = Json.MAPPER.readTree(text.get());
            Map<String, Timestamp> threads = new LinkedHashMap<>();
            for (Map.Entry<String, JsonNode> each : json.path("threads").properties()) {
                Timestamp.of(each.getValue().asText()).ifPresent(ts -> threads.put(each.getKey(), ts));
            }
            return Optional.of(new Place(
                    json.path("kind").asText(), Timestamp.of(json.path("at").asText()), threads));
        } catch (JsonProcessingException notOurs) {
            return Optional.empty();
        }
    }
}
