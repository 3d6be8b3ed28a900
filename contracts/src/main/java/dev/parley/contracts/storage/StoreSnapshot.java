package dev.parley.contracts.storage;

import dev.parley.application.port.SearchQuery;
import dev.parley.application.port.SessionQuery;
import dev.parley.application.spi.Storage;
import dev.parley.domain.session.Lane;
import dev.parley.domain.session.Session;
import dev.parley.domain.session.SessionPeer;
import dev.parley.domain.session.Viewer;
import dev.parley.domain.transcript.StoredMessage;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Everything that the reads of a store say, line by line, so that two stores can be compared. Sequence numbers are replaced by
 * the places of the messages, since stores may leave gaps.
 */
final class StoreSnapshot {
    private final Storage storage;
    private final List<String> lines = new ArrayList<>();
    private final Map<Long, Integer> places = new HashMap<>();

    private StoreSnapshot(Storage storage) {
        this.storage = storage;
    }

    /** Reads everything; {@code words} are searched for. */
    static List<String> of(Storage storage, List<String> words, List<Viewer> viewers) {
        StoreSnapshot snapshot = new StoreSnapshot(storage);
        snapshot.transcripts();
        snapshot.sessions(viewers);
        snapshot.lanes();
        snapshot.queue();
        snapshot.search(words, viewers);
        return List.copyOf(snapshot.lines);
    }

    private void say(String what, Object value) {
        lines.add(what + ": " + value);
    }

    private String told(StoredMessage message) {
        return "#" + places.getOrDefault(message.sequence(), -1) + " " + message.session() + " " + message.state() + " "
                + message.message();
    }

    private List<String> told(List<StoredMessage> messages) {
        return messages.stream().map(this::told).toList();
    }

    private void transcripts() {
        storage.transcripts().forEach(message -> {
            places.put(message.sequence(), places.size());
            say("message", told(message));
        });
        say("messages", storage.transcripts().countAll());
    }

    private void sessions(List<Viewer> viewers) {
        List<Session> sessions = new ArrayList<>();
        storage.sessions().forEach(sessions::add);
        for (Session session : sessions) {
            each(session);
        }
        say("sessions", storage.sessions().count(Optional.empty()));
        say("sessions of slack", storage.sessions().count(Optional.of("slack")));
        say("ended", storage.sessions().endedBefore(Samples.at(500), Optional.empty()));
        say("ended of cli", storage.sessions().endedBefore(Samples.at(5000), Optional.of("cli")));
        say("prefix", ids(storage.sessions().withIdPrefix("S1", 5)));
        say(
                "all",
                told(storage.transcripts()
                        .load(sessions.stream().map(Session::id).toList())));
        say("statistics", storage.sessions().statistics());
        for (SessionQuery.Order order : SessionQuery.Order.values()) {
            SessionQuery query = SessionQuery.usual().window(-1, 0).ordered(order);
            say("list by " + order, storage.sessions().list(query));
            say("window by " + order, storage.sessions().list(query.window(3, 2)));
            say("unprojected by " + order, storage.sessions().list(query.shape(false, false)));
            say("children by " + order, storage.sessions().list(query.shape(true, true)));
            say("titled by " + order, storage.sessions().list(query.matching(true, Optional.of("ITLE A"))));
            say("sources by " + order, storage.sessions().list(query.sources(Optional.of("cli"), Set.of())));
            say("without by " + order, storage.sessions().list(query.sources(Optional.empty(), Set.of("cli"))));
            for (Viewer viewer : viewers) {
                say(viewer + " by " + order, storage.sessions().list(query.seenBy(viewer)));
            }
        }
    }

    private void each(Session session) {
        say("session", session);
        say("found", storage.sessions().find(session.id()));
        session.title().ifPresent(title -> {
            say("titled", storage.sessions().findByTitle(title).map(Session::id));
            say("titled like", ids(storage.sessions().titledLike(title)));
        });
        say("children", ids(storage.sessions().childrenOf(session.id())));
        session.peer()
                .map(SessionPeer::key)
                .ifPresent(key -> say("of lane", ids(storage.sessions().ofLane(key, 3))));
        say("load", told(storage.transcripts().load(session.id())));
        say("tail", told(storage.transcripts().tail(session.id(), 2)));
        say("users", told(storage.transcripts().recentUserMessages(session.id(), 2)));
        say("count", storage.transcripts().count(session.id()));
        List<StoredMessage> all = storage.transcripts().loadAll(session.id());
        say("load all", told(all));
        if (!all.isEmpty()) {
            long middle = all.get(all.size() / 2).sequence();
            say("around", told(storage.transcripts().around(session.id(), middle, 1, 2)));
        }
        say("lane", storage.lanes().findBySession(session.id()));
    }

    private static List<String> ids(List<Session> sessions) {
        return sessions.stream().map(s -> s.id().value()).toList();
    }

    private void lanes() {
        List<Lane> lanes = new ArrayList<>();
        storage.lanes().forEach(lanes::add);
        for (Lane lane : lanes) {
            say("lane", lane);
            say("found", storage.lanes().find(lane.key()));
            say("history", storage.lanes().history(lane.key(), 3));
        }
        for (String chat : List.of("1", "2", "3")) {
            say("hold of " + chat, storage.lanes().hold(Samples.key(chat)));
        }
        say("lanes", storage.lanes().count());
        storage.lanes().forEachEvent(Samples.at(50), event -> say("event", event));
    }

    private void queue() {
        say("admitted", storage.queue().admitted());
        say("cursors", storage.meta().cursors());
        storage.meta()
                .cursors()
                .keySet()
                .forEach(name -> say("cursor", storage.meta().cursor(name)));
        say("usage", storage.sessions().usage(Instant.EPOCH, Samples.at(1_000_000)));
        say("usage between", storage.sessions().usage(Samples.at(900), Samples.at(2700)));
        say("claimed", storage.queue().claimed());
        say("undelivered", storage.queue().undelivered());
        storage.queue()
                .forEach(
                        Instant.EPOCH,
                        inbound -> {
                            say("inbound", inbound);
                            say("admitted of it", storage.queue().admitted(inbound.lane()));
                            say("last of it", storage.queue().lastOrdinal(inbound.lane()));
                            inbound.platformMessage()
                                    .ifPresent(name ->
                                            say("received", storage.queue().received(name)));
                        },
                        turn -> say("turn", turn),
                        outgoing -> say("outgoing", outgoing));
        storage.meta().all().forEach((name, value) -> {
            if (name.startsWith("test.")) {
                say("named " + name, value);
            }
        });
    }

    private void search(List<String> words, List<Viewer> viewers) {
        List<Viewer> everyone = new ArrayList<>(viewers);
        everyone.add(Viewer.operator());
        for (String word : words) {
            for (Viewer viewer : everyone) {
                SearchQuery query = new SearchQuery(
                        word,
                        Optional.empty(),
                        List.of(),
                        List.of(),
                        -1,
                        0,
                        Optional.of(SearchQuery.Sort.OLDEST),
                        viewer);
                say(
                        "«" + word + "» for " + viewer,
                        storage.search().search(query).stream()
                                .map(hit -> "#" + places.getOrDefault(hit.sequence(), -1) + " " + hit.session() + " "
                                        + hit.context())
                                .toList());
            }
        }
    }
}
