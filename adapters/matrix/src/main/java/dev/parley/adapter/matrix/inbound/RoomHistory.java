package dev.parley.adapter.matrix.inbound;

import com.fasterxml.jackson.databind.JsonNode;
import dev.parley.adapter.kit.api.ApiFailure;
import dev.parley.adapter.matrix.api.Account;
import dev.parley.adapter.matrix.api.MatrixApi;
import dev.parley.adapter.matrix.api.MatrixError;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * What was said in rooms, as far as later events refer to it: remembered for a while, and asked of the homeserver otherwise. Used by one
 * thread.
 */
final class RoomHistory {
    private static final int MOST = 2_000;

    private final MatrixApi api;
    private final Account account;
    private final Map<String, Said> said = latest();
    private final Map<String, Boolean> threads = latest();

    RoomHistory(MatrixApi api, Account account) {
        this.api = api;
        this.account = account;
    }

    private static <T> Map<String, T> latest() {
        return new LinkedHashMap<>(16, 0.75f, true) {
            private static final long serialVersionUID = 1L;

            @Override
            protected boolean removeEldestEntry(Map.Entry<String, T> eldest) {
                return size() > MOST;
            }
        };
    }

    /** Remembers an event that came by. */
    void note(String room, JsonNode event) {
        said.put(key(room, event.path("event_id").asText()), Said.of(event));
        JsonNode relation = event.path("content").path("m.relates_to");
        if (account.is(event.path("sender").asText())
                && relation.path("rel_type").asText().equals("m.thread")) {
            threads.put(key(room, relation.path("event_id").asText()), true);
        }
    }

    /** Returns the history of one room; what it throws is {@link LookupFailed}. */
    EventReader.References in(String room) {
        return new EventReader.References() {
            @Override
            public Optional<Said> said(String eventId) {
                Optional<Said> known = Optional.ofNullable(said.get(key(room, eventId)));
                return known.isPresent()
                        ? known
                        : event(room, eventId).map(event -> {
                            Said asked = Said.of(event);
                            said.put(key(room, eventId), asked);
                            return asked;
                        });
            }

            @Override
            public boolean participates(String thread) {
                String key = key(room, thread);
                Boolean known = threads.get(key);
                if (known != null) {
                    return known;
                }
                boolean participates = event(room, thread)
                        .filter(root -> account.is(root.path("sender").asText())
                                || root.path("unsigned")
                                        .path("m.relations")
                                        .path("m.thread")
                                        .path("current_user_participated")
                                        .asBoolean(false))
                        .isPresent();
                threads.put(key, participates);
                return participates;
            }
        };
    }

    private Optional<JsonNode> event(String room, String eventId) {
        try {
            return Optional.of(
                    api.get("event", MatrixApi.path("client/v3/rooms/{}/event/{}", room, eventId), Map.of()));
        } catch (MatrixError e) {
            if (e.isPassing()) {
                throw new LookupFailed(e);
            }
            return Optional.empty();
        } catch (ApiFailure e) {
            throw new LookupFailed(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new LookupFailed(e);
        }
    }

    private static String key(String room, String event) {
        return room + ' ' + event;
    }
}
