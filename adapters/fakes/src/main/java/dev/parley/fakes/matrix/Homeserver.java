package dev.parley.fakes.matrix;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.parley.fakes.matrix.Room.Event;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** What the fake homeserver holds, and what it does with it. Guarded by the server that it belongs to. */
final class Homeserver {
    static final JsonMapper JSON = JsonMapper.builder().build();
    private static final int LONGEST_EVENT = 65_536;
    private static final Set<String> KEPT_WHEN_REDACTED = Set.of("membership", "creator", "join_rule");

    final String name;
    private final InstantSource clock;
    private final Map<String, Room> rooms = new LinkedHashMap<>();
    private final Map<String, String> sent = new HashMap<>();
    private final Map<String, Map<String, JsonNode>> accountData = new HashMap<>();
    private final Map<String, Map<String, Long>> accountDataAt = new HashMap<>();
    private final Map<String, String> displayNames = new LinkedHashMap<>();
    private long position;
    private long nextId = 1;

    Homeserver(String name, InstantSource clock) {
        this.name = name;
        this.clock = clock;
    }

    long position() {
        return position;
    }

    Iterable<Room> rooms() {
        return rooms.values();
    }

    Room room(String id) throws MatrixError {
        Room room = rooms.get(id);
        if (room == null) {
            throw MatrixError.notFound("Unknown room");
        }
        return room;
    }

    Room known(String id) {
        return Optional.ofNullable(rooms.get(id))
                .orElseThrow(() -> new IllegalArgumentException("There is no room " + id + "."));
    }

    void register(String user, String displayName) {
        displayNames.put(user, displayName);
    }

    boolean isRegistered(String user) {
        return displayNames.containsKey(user);
    }

    String displayName(String user) {
        return displayNames.getOrDefault(user, user);
    }

    // rooms

    String createRoom(String creator, JsonNode wish) {
        Room room = new Room("!r" + nextId++ + ":" + name);
        rooms.put(room.id, room);
        state(room, creator, "m.room.create", "", JSON.createObjectNode().put("room_version", "11"));
        member(room, creator, creator, "join", Optional.empty());
        boolean open = wish.path("preset").asText().equals("public_chat");
        state(
                room,
                creator,
                "m.room.join_rules",
                "",
                JSON.createObjectNode().put("join_rule", open ? "public" : "invite"));
        text(wish, "name")
                .ifPresent(text -> state(
                        room,
                        creator,
                        "m.room.name",
                        "",
                        JSON.createObjectNode().put("name", text)));
        text(wish, "topic")
                .ifPresent(text -> state(
                        room,
                        creator,
                        "m.room.topic",
                        "",
                        JSON.createObjectNode().put("topic", text)));
        for (JsonNode extra : wish.path("initial_state")) {
            state(
                    room,
                    creator,
                    extra.path("type").asText(),
                    extra.path("state_key").asText(),
                    (ObjectNode) extra.path("content").deepCopy());
        }
        for (JsonNode invited : wish.path("invite")) {
            member(
                    room,
                    creator,
                    invited.asText(),
                    "invite",
                    Optional.of(wish.path("is_direct").asBoolean(false)));
        }
        return room.id;
    }

    void invite(String roomId, String by, String user) throws MatrixError {
        Room room = joined(roomId, by);
        if (room.membership(user).equals("join")) {
            throw MatrixError.forbidden(user + " is already in the room.");
        }
        member(room, by, user, "invite", Optional.empty());
    }

    void join(String roomId, String user) throws MatrixError {
        Room room = room(roomId);
        if (room.membership(user).equals("join")) {
            return;
        }
        boolean open = room.state("m.room.join_rules", "")
                .filter(rule -> rule.content().path("join_rule").asText().equals("public"))
                .isPresent();
        if (!open && !room.membership(user).equals("invite")) {
            throw MatrixError.forbidden("You are not invited to this room.");
        }
        member(room, user, user, "join", Optional.empty());
    }

    void leave(String roomId, String by, String user) throws MatrixError {
        member(room(roomId), by, user, "leave", Optional.empty());
    }

    private void member(Room room, String by, String user, String membership, Optional<Boolean> direct) {
        ObjectNode content = JSON.createObjectNode().put("membership", membership);
        if (!membership.equals("leave")) {
            content.put("displayname", displayName(user));
        }
        direct.filter(d -> d).ifPresent(d -> content.put("is_direct", true));
        state(room, by, "m.room.member", user, content);
    }

    String state(Room room, String sender, String type, String key, ObjectNode content) {
        ObjectNode json = event(room, sender, type, content);
        json.put("state_key", key);
        room.state(type, key).ifPresent(before -> {
            ObjectNode unsigned = json.withObject("/unsigned");
            unsigned.set("prev_content", before.content());
            unsigned.put("replaces_state", before.id());
        });
        return add(room, json);
    }

    String upgrade(String roomId, String by) {
        Room old = known(roomId);
        ObjectNode wish = JSON.createObjectNode();
        old.state("m.room.name", "")
                .ifPresent(
                        event -> wish.put("name", event.content().path("name").asText()));
        wish.put("preset", "public_chat");
        String next = createRoom(by, wish);
        state(
                old,
                by,
                "m.room.tombstone",
                "",
                JSON.createObjectNode()
                        .put("body", "This room has been replaced")
                        .put("replacement_room", next));
        return next;
    }

    // events

    /** Sends an event; the same sender's device, room and name give the same event. */
    String send(String roomId, String user, String device, String type, String transaction, JsonNode content)
            throws MatrixError {
        String key = String.join("\n", device, roomId, type, transaction);
        String known = sent.get(key);
        if (known != null) {
            return known;
        }
        Room room = joined(roomId, user);
        if (room.state("m.room.tombstone", "").isPresent()) {
            throw MatrixError.forbidden("You don't have permission to post that to the room.");
        }
        if (!content.isObject()) {
            throw MatrixError.badRequest("M_BAD_JSON", "Content must be a JSON object.");
        }
        if (content.toString().getBytes(StandardCharsets.UTF_8).length > LONGEST_EVENT - 500) {
            throw new MatrixError(413, "M_TOO_LARGE", "event too large");
        }
        JsonNode relation = content.path("m.relates_to");
        if (relation.path("rel_type").asText().equals("m.thread")) {
            Event root = room.byId.get(relation.path("event_id").asText());
            if (root != null && root.content().path("m.relates_to").has("rel_type")) {
                throw MatrixError.badRequest("M_UNKNOWN", "Cannot start threads from an event with a relation");
            }
        }
        ObjectNode json = event(room, user, type, (ObjectNode) content.deepCopy());
        json.withObject("/unsigned").put("transaction_id", transaction).put("device", device);
        String id = add(room, json);
        sent.put(key, id);
        return id;
    }

    String redact(String roomId, String user, String device, String target, String transaction) throws MatrixError {
        String key = String.join("\n", device, roomId, "redact " + target, transaction);
        String known = sent.get(key);
        if (known != null) {
            return known;
        }
        Room room = joined(roomId, user);
        ObjectNode json =
                event(room, user, "m.room.redaction", JSON.createObjectNode().put("redacts", target));
        json.put("redacts", target);
        String id = add(room, json);
        sent.put(key, id);
        Event redacted = room.byId.get(target);
        if (redacted != null) {
            ((ObjectNode) redacted.json().path("content")).retain(KEPT_WHEN_REDACTED);
            redacted.json().withObject("/unsigned").set("redacted_because", json.deepCopy());
        }
        return id;
    }

    Room joined(String roomId, String user) throws MatrixError {
        Room room = rooms.get(roomId);
        if (room == null || !room.membership(user).equals("join")) {
            throw MatrixError.forbidden("User " + user + " not in room " + roomId);
        }
        return room;
    }

    private ObjectNode event(Room room, String sender, String type, ObjectNode content) {
        ObjectNode json = JSON.createObjectNode()
                .put("event_id", "$e" + nextId++)
                .put("room_id", room.id)
                .put("sender", sender)
                .put("type", type)
                .put("origin_server_ts", clock.instant().toEpochMilli());
        json.set("content", content);
        return json;
    }

    private String add(Room room, ObjectNode json) {
        room.add(new Event(++position, json));
        return json.path("event_id").asText();
    }

    /** Puts any event into a room, as malformed as wanted. */
    void offer(String roomId, ObjectNode json) {
        known(roomId).add(new Event(++position, json));
    }

    // account data

    void putAccountData(String user, String type, JsonNode content) {
        accountData.computeIfAbsent(user, u -> new LinkedHashMap<>()).put(type, content);
        accountDataAt.computeIfAbsent(user, u -> new HashMap<>()).put(type, ++position);
    }

    JsonNode accountData(String user, String type) throws MatrixError {
        JsonNode content = accountData.getOrDefault(user, Map.of()).get(type);
        if (content == null) {
            throw MatrixError.notFound("Account data not found");
        }
        return content;
    }

    // reading

    /** Returns an event as a device sees it. */
    ObjectNode seen(Room room, Event event, String device, boolean withRoom) {
        ObjectNode json = event.json().deepCopy();
        if (json.path("unsigned").isObject()) {
            ObjectNode unsigned = (ObjectNode) json.path("unsigned");
            if (!unsigned.path("device").asText().equals(device)) {
                unsigned.remove("transaction_id");
            }
            unsigned.remove("device");
        }
        if (!withRoom) {
            json.remove("room_id");
        }
        return json;
    }

    /** Returns an event with what the homeserver knows of its thread. */
    ObjectNode withThread(Room room, Event event, String user, String device) {
        ObjectNode json = seen(room, event, device, true);
        List<Event> thread = room.events.stream()
                .filter(each -> each.content()
                                .path("m.relates_to")
                                .path("rel_type")
                                .asText()
                                .equals("m.thread")
                        && each.content()
                                .path("m.relates_to")
                                .path("event_id")
                                .asText()
                                .equals(event.id()))
                .toList();
        if (!thread.isEmpty()) {
            ObjectNode summary = json.withObject("/unsigned/m.relations").putObject("m.thread");
            summary.put("count", thread.size());
            summary.put(
                    "current_user_participated",
                    thread.stream().anyMatch(each -> each.sender().equals(user)));
            summary.set("latest_event", seen(room, thread.get(thread.size() - 1), device, true));
        }
        return json;
    }

    JsonNode messages(String roomId, String user, String device, Map<String, String> query) throws MatrixError {
        Room room = room(roomId);
        if (room.memberSince(user) == 0) {
            throw MatrixError.forbidden("You aren't a member of the room.");
        }
        boolean backwards = query.getOrDefault("dir", "f").equals("b");
        double from = query.containsKey("from") ? boundary(query.get("from")) : backwards ? position + 0.5 : -1;
        double to = query.containsKey("to") ? boundary(query.get("to")) : backwards ? -1 : position + 0.5;
        int limit = number(query, "limit", 10);
        Filter filter = Filter.of(query.getOrDefault("filter", ""));
        List<Event> found = new ArrayList<>();
        for (Event event : room.events) {
            boolean within = backwards
                    ? event.position() < from && event.position() > to
                    : event.position() > from && event.position() < to;
            if (within && filter.takes(event.type())) {
                found.add(event);
            }
        }
        if (backwards) {
            java.util.Collections.reverse(found);
        }
        List<Event> page = found.subList(0, Math.min(limit, found.size()));
        ObjectNode answer = JSON.createObjectNode();
        answer.put("start", query.getOrDefault("from", "s" + position));
        ArrayNode chunk = answer.putArray("chunk");
        page.forEach(event -> chunk.add(seen(room, event, device, true)));
        if (page.size() < found.size()) {
            long last = page.get(page.size() - 1).position();
            answer.put("end", backwards ? "t" + last : "s" + last);
        }
        return answer;
    }

    /** Returns a token's place between two events: an {@code s} stands behind its event, a {@code t} before it. */
    static double boundary(String token) throws MatrixError {
        try {
            long at = Long.parseLong(token.substring(1));
            if (token.charAt(0) == 's') {
                return at + 0.5;
            }
            if (token.charAt(0) == 't') {
                return at - 0.5;
            }
        } catch (NumberFormatException | IndexOutOfBoundsException notOurs) {
            // Said below.
        }
        throw MatrixError.badRequest("M_UNKNOWN", "Invalid stream token");
    }

    static int number(Map<String, String> query, String name, int usual) {
        try {
            return Integer.parseInt(query.getOrDefault(name, String.valueOf(usual)));
        } catch (NumberFormatException notANumber) {
            return usual;
        }
    }

    private static Optional<String> text(JsonNode wish, String field) {
        return Optional.of(wish.path(field).asText()).filter(text -> !text.isEmpty());
    }

    // syncs

    /** Returns whether a sync from a place tells somebody anything. */
    boolean hasNews(String user, long since) {
        boolean data =
                accountDataAt.getOrDefault(user, Map.of()).values().stream().anyMatch(at -> at > since);
        return data
                || rooms.values().stream()
                        .anyMatch(room -> room.memberSince(user) > since
                                || (room.membership(user).equals("join")
                                        && room.events.stream().anyMatch(e -> e.position() > since)));
    }

    /**
     * Returns what a sync tells.
     *
     * @param since the place it goes on from; -1 for all
     */
    ObjectNode sync(String user, String device, long since, boolean fullState, Filter filter) {
        ObjectNode answer = JSON.createObjectNode().put("next_batch", "s" + position);
        answer.putObject("presence").putArray("events");
        answer.putObject("to_device").putArray("events");
        ArrayNode data = answer.putObject("account_data").putArray("events");
        accountData.getOrDefault(user, Map.of()).forEach((type, content) -> {
            long at = accountDataAt.getOrDefault(user, Map.of()).getOrDefault(type, 0L);
            boolean tells = since < 0 || fullState || at > since;
            if (tells) {
                data.addObject().put("type", type).set("content", content);
            }
        });
        ObjectNode all = answer.putObject("rooms");
        ObjectNode joined = all.putObject("join");
        ObjectNode invited = all.putObject("invite");
        ObjectNode left = all.putObject("leave");
        for (Room room : rooms.values()) {
            String membership = room.membership(user);
            boolean changed = room.memberSince(user) > since;
            if (membership.equals("join")) {
                joined(room, user, device, since, fullState, filter).ifPresent(json -> joined.set(room.id, json));
            } else if (membership.equals("invite") && (changed || since < 0)) {
                ArrayNode events =
                        invited.putObject(room.id).putObject("invite_state").putArray("events");
                for (Event event : room.stateNow()) {
                    boolean others = event.type().equals("m.room.member")
                            && !event.json().path("state_key").asText().equals(user);
                    if (!others) {
                        ObjectNode stripped = events.addObject();
                        for (String field : List.of("type", "state_key", "sender", "content")) {
                            stripped.set(field, event.json().path(field));
                        }
                    }
                }
            } else if (room.memberSince(user) > 0 && changed && since >= 0) {
                left.putObject(room.id).putObject("timeline").putArray("events");
            }
        }
        return answer;
    }

    private Optional<ObjectNode> joined(
            Room room, String user, String device, long since, boolean fullState, Filter filter) {
        boolean fresh = since < 0 || joinedAt(room, user) > since;
        long from = fresh ? 0 : since;
        List<Event> events = room.events.stream()
                .filter(event -> event.position() > from && filter.takes(event.type()))
                .toList();
        List<Event> latest = events.subList(Math.max(0, events.size() - filter.limit()), events.size());
        long begin = latest.isEmpty() ? position + 1 : latest.get(0).position();
        List<Event> state = fresh || fullState
                ? room.stateBefore(begin)
                : room.events.stream()
                        .filter(event -> event.isState() && event.position() > since && event.position() < begin)
                        .toList();
        boolean nothing = latest.isEmpty() && state.isEmpty() && !fresh && !fullState;
        if (nothing) {
            return Optional.empty();
        }
        ObjectNode json = JSON.createObjectNode();
        ArrayNode shownState = json.putObject("state").putArray("events");
        for (Event event : state) {
            boolean needed = !filter.lazyMembers()
                    || !event.type().equals("m.room.member")
                    || event.json().path("state_key").asText().equals(user)
                    || latest.stream()
                            .anyMatch(e -> e.sender()
                                    .equals(event.json().path("state_key").asText()));
            if (needed && filter.takes(event.type())) {
                shownState.add(seen(room, event, device, false));
            }
        }
        ObjectNode timeline = json.putObject("timeline");
        ArrayNode shown = timeline.putArray("events");
        latest.forEach(event -> shown.add(seen(room, event, device, false)));
        timeline.put("limited", latest.size() < events.size() || (fresh && since >= 0));
        timeline.put("prev_batch", "t" + begin);
        json.putObject("account_data").putArray("events");
        json.putObject("ephemeral").putArray("events");
        return Optional.of(json);
    }

    /** Returns where somebody came into a room last; a change of their name is no coming. */
    private static long joinedAt(Room room, String user) {
        long at = 0;
        for (Event event : room.events) {
            boolean comes = event.type().equals("m.room.member")
                    && event.json().path("state_key").asText().equals(user)
                    && event.content().path("membership").asText().equals("join")
                    && !event.json()
                            .path("unsigned")
                            .path("prev_content")
                            .path("membership")
                            .asText()
                            .equals("join");
            at = comes ? event.position() : at;
        }
        return at;
    }

    /**
     * What a client asks to be told.
     *
     * @param types the types of events; empty is all
     * @param limit how many events of a room
     * @param lazyMembers whether only people who speak are named
     */
    record Filter(Set<String> types, int limit, boolean lazyMembers) {
        static Filter of(String text) throws MatrixError {
            if (text.isEmpty()) {
                return new Filter(Set.of(), 10, false);
            }
            JsonNode filter;
            try {
                filter = JSON.readTree(text);
            } catch (com.fasterxml.jackson.core.JsonProcessingException e) {
                throw MatrixError.badRequest("M_NOT_JSON", "Filter is no JSON");
            }
            JsonNode timeline = filter.has("room") ? filter.path("room").path("timeline") : filter;
            Set<String> types = new java.util.HashSet<>();
            timeline.path("types").forEach(type -> types.add(type.asText()));
            return new Filter(
                    Set.copyOf(types),
                    timeline.path("limit").asInt(10),
                    timeline.path("lazy_load_members").asBoolean(false));
        }

        boolean takes(String type) {
            return types.isEmpty() || types.contains(type);
        }
    }
}
