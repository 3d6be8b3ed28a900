package dev.parley.application.degrade;

import dev.parley.application.port.SessionListing;
import dev.parley.application.port.SessionQuery;
import dev.parley.application.port.SessionStatistics;
import dev.parley.application.port.Sessions;
import dev.parley.domain.key.SessionKey;
import dev.parley.domain.session.Session;
import dev.parley.domain.session.SessionId;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/** Sessions: while degraded only those that are in use, and no lists. */
final class SessionReads implements Sessions {
    private final Reading reading;
    private final PrimaryMirror mirror;
    private final Spill spill;

    SessionReads(Reading reading, PrimaryMirror mirror, Spill spill) {
        this.reading = reading;
        this.mirror = mirror;
        this.spill = spill;
    }

    @Override
    public Optional<Session> find(SessionId id) {
        Optional<Session> found = reading.any(
                s -> reading.isDegraded() ? spill.session(id) : s.sessions().find(id));
        if (!reading.isDegraded()) {
            found.ifPresent(mirror::read);
        }
        return found;
    }

    @Override
    public List<SessionListing> list(SessionQuery query) {
        return reading.whole("The list of sessions", s -> s.sessions().list(query));
    }

    @Override
    public void forEach(Consumer<Session> each) {
        reading.whole("All sessions", s -> {
            s.sessions().forEach(each);
            return true;
        });
    }

    @Override
    public long count(Optional<String> source) {
        return reading.whole("The number of sessions", s -> s.sessions().count(source));
    }

    @Override
    public Optional<Session> findByTitle(String title) {
        return reading.whole("Sessions by title", s -> s.sessions().findByTitle(title));
    }

    @Override
    public List<Session> titledLike(String base) {
        return reading.whole("Sessions by title", s -> s.sessions().titledLike(base));
    }

    @Override
    public List<Session> withIdPrefix(String prefix, int limit) {
        return reading.whole("Sessions by id", s -> s.sessions().withIdPrefix(prefix, limit));
    }

    @Override
    public List<Session> childrenOf(SessionId id) {
        return reading.any(s -> s.sessions().childrenOf(id));
    }

    @Override
    public List<Session> ofLane(SessionKey key, int limit) {
        return reading.whole("The sessions of a lane", s -> s.sessions().ofLane(key, limit));
    }

    @Override
    public List<SessionId> endedBefore(Instant before, Optional<String> source) {
        return reading.whole("Ended sessions", s -> s.sessions().endedBefore(before, source));
    }

    @Override
    public SessionStatistics statistics() {
        return reading.whole("Statistics", s -> s.sessions().statistics());
    }
}
