package dev.parley.fakes.matrix;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A room of the fake: its events in order and its state. Guarded by the homeserver. */
final class Room {
    final String id;
    final List<Event> events = new ArrayList<>();
    final Map<String, Event> byId = new HashMap<>();
    private final Map<String, Event> state = new LinkedHashMap<>();

    /**
     * An event and its place in the stream of all rooms.
     *
     * @param position its place
     * @param json the event as clients see it
     */
    record Event(long position, ObjectNode json) {
        String type() {
            return json.path("type").asText();
        }

        String id() {
            return json.path("event_id").asText();
        }

        String sender() {
            return json.path("sender").asText();
        }

        JsonNode content() {
            return json.path("content");
        }

        boolean isState() {
            return json.has("state_key");
        }
    }

    Room(String id) {
        this.id = id;
    }

    void add(Event event) {
        events.add(event);
        byId.put(event.id(), event);
        if (event.isState()) {
            state.put(key(event.type(), event.json().path("state_key").asText()), event);
        }
    }

    Optional<Event> state(String type, String key) {
        return Optional.ofNullable(state.get(key(type, key)));
    }

    List<Event> stateNow() {
        return List.copyOf(state.values());
    }

    /** Returns the state as it was before a place in the stream. */
    List<Event> stateBefore(long position) {
        Map<String, Event> before = new LinkedHashMap<>();
        for (Event event : events) {
            if (event.position() < position && event.isState()) {
                before.put(key(event.type(), event.json().path("state_key").asText()), event);
            }
        }
        return List.copyOf(before.values());
    }

    String membership(String user) {
        return state("m.room.member", user)
                .map(event -> event.content().path("membership").asText())
                .orElse("leave");
    }

    /** Returns the place at which somebody's membership became what it is. */
    long memberSince(String user) {
        return state("m.room.member", user).map(Event::position).orElse(0L);
    }

    private static String key(String type, String key) {
        return type + '\n' + key;
    }
}
