package dev.parley.application.scan;

import dev.parley.application.port.SessionListing;
import dev.parley.application.port.SessionQuery;
import dev.parley.domain.session.Ending;
import dev.parley.domain.session.Lineage;
import dev.parley.domain.session.Session;
import dev.parley.domain.session.SessionId;
import dev.parley.domain.text.Ascii;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** One list of sessions (storage 3.7, 3.9), over the data at one moment. */
final class ListedSessions implements Lineage.Family {
    /** The order of sessions wherever none is asked for. */
    static final Comparator<Session> NEWEST_FIRST =
            Comparator.comparing(Session::startedAt).thenComparing(Session::id).reversed();

    private static final Comparator<Active> LAST_ACTIVE_FIRST =
            Comparator.comparing(Active::last).reversed().thenComparing(Active::session, NEWEST_FIRST);

    private final StoredRows rows;
    private final SessionQuery query;

    /** A session, and when anything was last said in it or in what continues it. */
    private record Active(Session session, Instant last) {}

    ListedSessions(StoredRows rows, SessionQuery query) {
        this.rows = rows;
        this.query = query;
    }

    List<SessionListing> list() {
        Optional<String> text = query.text().map(Ascii::lower);
        Stream<Session> asked = rows.sessions().stream()
                .filter(s -> query.archived() || !s.archived())
                .filter(s -> query.children() || Lineage.standsAlone(s, parentEnd(s)))
                .filter(s -> isFrom(s, query.source()))
                .filter(query::isInTime)
                .filter(s -> !query.exclude().contains(s.source()))
                .filter(s -> !query.titledOnly() || s.title().isPresent())
                .filter(s -> text.isEmpty() || contains(s, text.get()))
                .filter(s -> query.viewer().maySee(s));
        return ordered(asked)
                .skip(Math.max(0, query.offset()))
                .limit(query.limit() < 0 ? Long.MAX_VALUE : query.limit())
                .map(this::row)
                .toList();
    }

    private Stream<Session> ordered(Stream<Session> asked) {
        return query.order() == SessionQuery.Order.STARTED
                ? asked.sorted(NEWEST_FIRST)
                : asked.map(s -> new Active(s, Lineage.lastActiveOfChain(s, this)))
                        .sorted(LAST_ACTIVE_FIRST)
                        .map(Active::session);
    }

    private static boolean contains(Session session, String text) {
        return Ascii.lower(session.id().value()).contains(text)
                || session.title()
                        .filter(title -> Ascii.lower(title).contains(text))
                        .isPresent();
    }

    private Optional<Ending> parentEnd(Session session) {
        return session.parent().flatMap(rows::session).flatMap(Session::ending);
    }

    private SessionListing row(Session session) {
        Session tip = query.children() || !query.project() ? session : tip(session);
        if (tip.id().equals(session.id()) || !query.viewer().maySee(tip)) {
            return listing(session, session, Optional.empty());
        }
        return listing(Lineage.projected(session, tip), tip, Optional.of(session.id()));
    }

    private Session tip(Session root) {
        return find(Lineage.compressionTip(root.id(), this)).orElse(root);
    }

    private SessionListing listing(Session shown, Session of, Optional<SessionId> root) {
        Digest digest = rows.digest(of.id());
        return new SessionListing(shown, digest.preview(), digest.lastActive().orElse(of.startedAt()), root);
    }

    @Override
    public Optional<Session> find(SessionId id) {
        return rows.session(id);
    }

    @Override
    public List<Session> childrenOf(SessionId id) {
        return rows.childrenOf(id).stream().sorted(NEWEST_FIRST).toList();
    }

    @Override
    public boolean hasMessages(Session session) {
        return rows.digest(session.id()).rows() > 0;
    }

    @Override
    public Instant lastActive(Session session) {
        return rows.digest(session.id()).lastActive().orElse(session.startedAt());
    }

    static boolean isFrom(Session session, Optional<String> source) {
        return source.filter(s -> !s.isEmpty() && !s.equals(session.source())).isEmpty();
    }
}
