package dev.parley.adapter.matrix.inbound;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.parley.adapter.kit.json.Json;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * What is known of the account's rooms: names, topics, people's names, which are direct, encrypted or replaced. Learnt from the state
 * that syncs bring; what was not brought is absent. Safe for concurrent use.
 */
public final class Rooms {
    private static final int MOST_MEMBERS = 2_000;
    private static final int MOST_MOVES = 10;

    private final Map<String, Room> rooms = new HashMap<>();
    private Map<String, Set<String>> direct = new LinkedHashMap<>();

    private static final class Room {
        Optional<String> name = Optional.empty();
        Optional<String> alias = Optional.empty();
        Optional<String> topic = Optional.empty();
        Optional<String> replacement = Optional.empty();
        boolean encrypted;
        final Map<String, String> members = new LinkedHashMap<>(16, 0.75f, true) {
            private static final long serialVersionUID = 1L;

            @Override
            protected boolean removeEldestEntry(Map.Entry<String, String> eldest) {
                return size() > MOST_MEMBERS;
            }
        };
    }

    /** Nothing known yet. */
    public Rooms() {}

    /** Learns from a state event of a room; others are passed over. */
    synchronized void learn(String room, JsonNode event) {
        JsonNode content = event.path("content");
        if (!event.path("state_key").isTextual() || !content.isObject()) {
            return;
        }
        Room known = rooms.computeIfAbsent(room, r -> new Room());
        switch (event.path("type").asText()) {
            case "m.room.name" -> known.name = text(content, "name");
            case "m.room.canonical_alias" -> known.alias = text(content, "alias");
            case "m.room.topic" -> known.topic = text(content, "topic");
            case "m.room.encryption" -> known.encrypted = true;
            case "m.room.tombstone" -> known.replacement = text(content, "replacement_room");
            case "m.room.member" -> {
                String user = event.path("state_key").asText();
                text(content, "displayname")
                        .ifPresentOrElse(name -> known.members.put(user, name), () -> known.members.remove(user));
            }
            default -> {
                // Says nothing that is shown or decided on.
            }
        }
    }

    /** Learns which rooms are direct, by the account's {@code m.direct}, which replaces what was known. */
    synchronized void learnDirect(JsonNode content) {
        Map<String, Set<String>> read = new LinkedHashMap<>();
        content.properties().forEach(each -> {
            Set<String> ids = new HashSet<>();
            each.getValue().forEach(id -> ids.add(id.asText()));
            read.put(each.getKey(), ids);
        });
        direct = read;
    }

    /** Notes that a room is a direct one with somebody; returns whether that is new. */
    synchronized boolean markDirect(String room, String user) {
        return direct.computeIfAbsent(user, u -> new HashSet<>()).add(room);
    }

    /** Returns whether a room is meant for the bot and one person. */
    public synchronized boolean isDirect(String room) {
        return direct.values().stream().anyMatch(rooms -> rooms.contains(room));
    }

    /** Returns the person of a direct room. */
    synchronized Optional<String> directWith(String room) {
        return direct.entrySet().stream()
                .filter(each -> each.getValue().contains(room))
                .map(Map.Entry::getKey)
                .findFirst();
    }

    /** Returns which rooms are direct, as the account's {@code m.direct} says it. */
    synchronized ObjectNode directContent() {
        ObjectNode content = Json.object();
        direct.forEach((user, ids) -> ids.stream().sorted().forEach(content.withArray(user)::add));
        return content;
    }

    /** Returns whether a room is encrypted, so that the bot cannot read it. */
    public synchronized boolean isEncrypted(String room) {
        return known(room).encrypted;
    }

    /** Notes that a room is encrypted. */
    synchronized void markEncrypted(String room) {
        rooms.computeIfAbsent(room, r -> new Room()).encrypted = true;
    }

    /** Returns the room that a room has become, or the room itself. */
    public synchronized String now(String room) {
        String now = room;
        for (int i = 0; i < MOST_MOVES; i++) {
            Optional<String> next = known(now).replacement;
            if (next.isEmpty()) {
                break;
            }
            now = next.get();
        }
        return now;
    }

    /** Notes that a room has become another. */
    public synchronized void moved(String room, String to) {
        rooms.computeIfAbsent(room, r -> new Room()).replacement = Optional.of(to);
    }

    /** Returns a room's name, else its alias. */
    synchronized Optional<String> name(String room) {
        Room known = known(room);
        return known.name.or(() -> known.alias);
    }

    /** Returns a room's topic. */
    synchronized Optional<String> topic(String room) {
        return known(room).topic;
    }

    /** Returns what somebody calls themselves in a room. */
    synchronized Optional<String> member(String room, String user) {
        return Optional.ofNullable(known(room).members.get(user));
    }

    /** Forgets a room that the account has left. */
    synchronized void forget(String room) {
        Room gone = rooms.remove(room);
        // Where it went is of use to answers that still wait.
        if (gone != null && gone.replacement.isPresent()) {
            moved(room, gone.replacement.get());
        }
    }

    private Room known(String room) {
        return rooms.getOrDefault(room, new Room());
    }

    private static Optional<String> text(JsonNode content, String field) {
        return Optional.of(content.path(field).asText().strip()).filter(text -> !text.isEmpty());
    }
}
