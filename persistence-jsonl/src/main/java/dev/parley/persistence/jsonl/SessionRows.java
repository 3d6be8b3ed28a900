package dev.parley.persistence.jsonl;

import dev.parley.application.port.SessionListing;
import dev.parley.application.port.SessionQuery;
import dev.parley.domain.session.Ending;
import dev.parley.domain.session.Session;
import dev.parley.domain.session.SessionId;
import dev.parley.persistence.jsonl.state.Digest;
import dev.parley.persistence.jsonl.state.Store;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** One list of sessions (storage 3.7, 3.9), at one moment of the store. */
final class SessionRows {
    private static final String BRANCHED = "branched";
    private static final int HOPS = 100;

    private static final Comparator<Active> LAST_ACTIVE_FIRST =
            Comparator.comparing(Active::last).reversed().thenComparing(Active::session, Store.NEWEST_FIRST);

    private final Store store;
    private final SessionQuery query;

    /** A session, and when anything was last said in it or in what continues it. */
    private record Active(Session session, Instant last) {}

    SessionRows(Store store, SessionQuery query) {
        this.store = store;
        this.query = query;
    }

    List<SessionListing> list() {
        Optional<String> text = query.text().map(JsonlSessions::asciiLower);
        Stream<Session> asked = store.sessions().stream()
                .filter(session -> query.children() || standsAlone(session))
                .filter(session -> JsonlSessions.isFrom(session, query.source()))
                .filter(session -> !query.exclude().contains(session.source()))
                .filter(session -> !query.titledOnly() || session.title().isPresent())
                .filter(session -> text.isEmpty() || contains(session, text.get()))
                .filter(session -> query.viewer().maySee(session));
        return ordered(asked)
                .skip(Math.max(0, query.offset()))
                .limit(query.limit() < 0 ? Long.MAX_VALUE : query.limit())
                .map(this::row)
                .toList();
    }

    private Stream<Session> ordered(Stream<Session> asked) {
        return query.order() == SessionQuery.Order.STARTED
                ? asked.sorted(Store.NEWEST_FIRST)
                : asked.map(session -> new Active(session, lastActiveOfChain(session)))
                        .sorted(LAST_ACTIVE_FIRST)
                        .map(Active::session);
    }

    private static boolean contains(Session session, String text) {
        return JsonlSessions.asciiLower(session.id().value()).contains(text)
                || session.title()
                        .filter(title -> JsonlSessions.asciiLower(title).contains(text))
                        .isPresent();
    }

    /** Delegates and continuations have no row of their own; branches do. */
    private boolean standsAlone(Session session) {
        return session.parent().isEmpty()
                || session.parent()
                        .flatMap(store::session)
                        .filter(parent -> follows(parent, session, BRANCHED))
                        .isPresent();
    }

    private static boolean follows(Session parent, Session child, String reason) {
        return parent.endedBy(reason)
                && parent.ending()
                        .map(Ending::at)
                        .filter(end -> !child.startedAt().isBefore(end))
                        .isPresent();
    }

    private List<Session> continuations(Session session) {
        return store.childrenOf(session.id()).stream()
                .filter(child -> follows(session, child, Ending.COMPRESSION))
                .sorted(Store.NEWEST_FIRST)
                .toList();
    }

    private Session tip(Session root) {
        Session tip = root;
        for (int hop = 0; hop < HOPS; hop++) {
            List<Session> next = continuations(tip);
            if (next.isEmpty()) {
                return tip;
            }
            tip = next.get(0);
        }
        return tip;
    }

    private SessionListing row(Session session) {
        Session tip = query.children() || !query.project() ? session : tip(session);
        Digest digest = store.digest(tip.id());
        if (tip.id().equals(session.id()) || !query.viewer().maySee(tip)) {
            return new SessionListing(
                    session, store.digest(session.id()).preview(), lastActive(session), Optional.empty());
        }
        Session projected = session.toBuilder()
                .id(tip.id())
                .ending(tip.ending().orElse(null))
                .counts(tip.messageCount(), tip.toolCallCount())
                .title(tip.title().orElse(null))
                .model(tip.model().orElse(null))
                .systemPrompt(tip.systemPrompt().orElse(null))
                .build();
        return new SessionListing(projected, digest.preview(), lastActive(tip), Optional.of(session.id()));
    }

    private Instant lastActive(Session session) {
        return store.digest(session.id()).lastActive().orElse(session.startedAt());
    }

    private Instant lastActiveOfChain(Session root) {
        Instant latest = lastActive(root);
        if (store.childrenOf(root.id()).isEmpty()) {
            return latest;
        }
        Set<SessionId> seen = new HashSet<>(Set.of(root.id()));
        Deque<Session> next = new ArrayDeque<>(continuations(root));
        while (!next.isEmpty()) {
            Session session = next.remove();
            if (seen.add(session.id())) {
                Instant active = lastActive(session);
                latest = active.isAfter(latest) ? active : latest;
                next.addAll(continuations(session));
            }
        }
        return latest;
    }
}
