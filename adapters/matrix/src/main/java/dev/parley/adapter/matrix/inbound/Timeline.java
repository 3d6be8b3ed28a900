package dev.parley.adapter.matrix.inbound;

import com.fasterxml.jackson.databind.JsonNode;
import dev.parley.adapter.kit.api.ApiFailure;
import dev.parley.adapter.kit.json.Json;
import dev.parley.adapter.matrix.api.Account;
import dev.parley.adapter.matrix.api.MatrixApi;
import dev.parley.adapter.matrix.api.MatrixError;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * What happened in a room since the last sync, oldest first and whole: where a sync leaves events out, they are read from the room's
 * history. In a room that the account has just joined it begins with the invitation, since people write before the bot has come.
 */
final class Timeline {
    private static final int PAGE = 100;

    private final MatrixApi api;
    private final Account account;
    private final Rooms rooms;
    private final int most;
    private final Consumer<String> warnings;

    Timeline(MatrixApi api, Account account, Rooms rooms, int most, Consumer<String> warnings) {
        this.api = api;
        this.account = account;
        this.rooms = rooms;
        this.most = most;
        this.warnings = warnings;
    }

    /** Returns the events of a room that a sync tells of and that were not read before. */
    List<JsonNode> read(String room, JsonNode timeline, Place place)
            throws MatrixError, ApiFailure, InterruptedException {
        List<JsonNode> events = new ArrayList<>();
        timeline.path("events").forEach(events::add);
        String before = timeline.path("prev_batch").asText();
        if (timeline.path("limited").asBoolean(false) && !before.isEmpty() && !isWhole(events, place)) {
            events = withGap(room, events, before, place);
        }
        int beginning = beginning(events, place);
        // Who is in the room, and what it is called, may have been said before.
        events.subList(0, beginning).forEach(event -> rooms.learn(room, event));
        return events.subList(beginning, events.size());
    }

    private List<JsonNode> withGap(String room, List<JsonNode> newer, String before, Place place)
            throws MatrixError, ApiFailure, InterruptedException {
        List<JsonNode> backwards = new ArrayList<>(newer);
        Collections.reverse(backwards);
        String from = before;
        while (true) {
            JsonNode page;
            try {
                page = api.get("messages", MatrixApi.path("client/v3/rooms/{}/messages", room), query(from, place));
            } catch (MatrixError e) {
                if (e.isPassing()) {
                    throw e;
                }
                // The account may not look back here; what the sync brought is what there is.
                break;
            }
            page.path("state").forEach(event -> rooms.learn(room, event));
            page.path("chunk").forEach(backwards::add);
            String end = page.path("end").asText();
            List<JsonNode> soFar = new ArrayList<>(backwards);
            Collections.reverse(soFar);
            if (end.isEmpty() || end.equals(from) || isWhole(soFar, place)) {
                break;
            }
            if (backwards.size() >= most + newer.size()) {
                warnings.accept("More was written in " + room
                        + " while nobody read it than is read afterwards; the latest " + most
                        + " are read, what is older is left out. platforms.matrix.backfill_limit raises this.");
                break;
            }
            from = end;
        }
        Collections.reverse(backwards);
        return backwards;
    }

    private static Map<String, String> query(String from, Place place) {
        Map<String, String> query = new LinkedHashMap<>();
        query.put("dir", "b");
        query.put("from", from);
        place.token().ifPresent(token -> query.put("to", token));
        query.put("limit", String.valueOf(PAGE));
        query.put("filter", SyncFilter.MESSAGES);
        return query;
    }

    /** Returns whether what was not read before is all there. */
    private boolean isWhole(List<JsonNode> events, Place place) {
        Optional<Integer> joined = joined(events);
        if (joined.isPresent() && counts(events.get(joined.get()), place)) {
            return !wasInvited(events.get(joined.get()))
                    || invited(events, joined.get()).isPresent();
        }
        return place.token().isEmpty() && events.stream().anyMatch(event -> isOld(event, place));
    }

    /** Returns where what was not read before begins. */
    private int beginning(List<JsonNode> events, Place place) {
        Optional<Integer> joined = joined(events);
        if (joined.isPresent() && counts(events.get(joined.get()), place)) {
            return invited(events, joined.get()).orElse(joined.get());
        }
        int begin = 0;
        if (place.token().isEmpty()) {
            for (int i = 0; i < events.size(); i++) {
                begin = isOld(events.get(i), place) ? i + 1 : begin;
            }
        }
        return begin;
    }

    /** Without a place in the homeserver's own words only time tells what is new. */
    private static boolean counts(JsonNode joined, Place place) {
        return place.token().isPresent() || !isOld(joined, place);
    }

    private static boolean isOld(JsonNode event, Place place) {
        return Instant.ofEpochMilli(event.path("origin_server_ts").asLong()).isBefore(place.at());
    }

    /** Returns where the account joined the room last; a change of its name is no joining. */
    private Optional<Integer> joined(List<JsonNode> events) {
        for (int i = events.size() - 1; i >= 0; i--) {
            boolean joining = isOurs(events.get(i), "join")
                    && !before(events.get(i)).path("membership").asText().equals("join");
            if (joining) {
                return Optional.of(i);
            }
        }
        return Optional.empty();
    }

    private Optional<Integer> invited(List<JsonNode> events, int joined) {
        for (int i = joined - 1; i >= 0; i--) {
            if (isOurs(events.get(i), "invite")) {
                return Optional.of(i);
            }
        }
        return Optional.empty();
    }

    private static boolean wasInvited(JsonNode joined) {
        return before(joined).path("membership").asText().equals("invite");
    }

    private static JsonNode before(JsonNode event) {
        JsonNode unsigned = event.path("unsigned").path("prev_content");
        return unsigned.isObject() ? unsigned : event.path("prev_content");
    }

    private boolean isOurs(JsonNode event, String membership) {
        return event.path("type").asText().equals("m.room.member")
                && account.is(event.path("state_key").asText())
                && event.path("content").path("membership").asText().equals(membership);
    }

    /** What is asked for. */
    static final class SyncFilter {
        private static final List<String> STATE = List.of(
                "m.room.name",
                "m.room.topic",
                "m.room.canonical_alias",
                "m.room.encryption",
                "m.room.tombstone",
                "m.room.member");
        private static final List<String> TYPES = concat(
                List.of("m.room.message", "m.sticker", "m.room.encrypted", "m.reaction", "m.room.redaction"), STATE);
        private static final int LATEST = 50;

        /** The filter of a room's history. */
        static final String MESSAGES = json(Map.of("types", TYPES, "lazy_load_members", true));
        /** The filter of a sync. */
        static final String SYNC = json(Map.of(
                "presence", Map.of("types", List.of()),
                "account_data", Map.of("types", List.of("m.direct")),
                "room",
                        Map.of(
                                "ephemeral", Map.of("types", List.of()),
                                "account_data", Map.of("types", List.of()),
                                "state", Map.of("types", STATE, "lazy_load_members", true),
                                "timeline", Map.of("types", TYPES, "limit", LATEST, "lazy_load_members", true))));

        private SyncFilter() {}

        private static List<String> concat(List<String> some, List<String> others) {
            List<String> all = new ArrayList<>(some);
            all.addAll(others);
            return List.copyOf(all);
        }

        private static String json(Map<String, Object> filter) {
            return Json.MAPPER.valueToTree(filter).toString();
        }
    }
}
