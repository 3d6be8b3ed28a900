package dev.parley.application.degrade;

import dev.parley.application.port.Cursor;
import dev.parley.application.port.Page;
import dev.parley.application.port.SessionListing;
import dev.parley.application.port.SessionQuery;
import dev.parley.application.port.SessionStatistics;
import dev.parley.application.port.Sessions;
import dev.parley.domain.key.SessionKey;
import dev.parley.domain.session.Session;
import dev.parley.domain.session.SessionId;
import dev.parley.domain.usage.UsageSlot;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/** Sessions: while degraded only those that are in use, and no lists. */
final class DegradingSessions implements Sessions {
    private final Reading reading;
    private final Knowledge knowledge;
    /** What the primary said when it was asked last. */
    private volatile boolean titles = true;

    DegradingSessions(Reading reading, Knowledge knowledge) {
        this.reading = reading;
        this.knowledge = knowledge;
    }

    /** While degraded what the primary said before, or true where it was never asked. */
    @Override
    public boolean keepsTitles() {
        return reading.either(
                s -> {
                    titles = s.sessions().keepsTitles();
                    return titles;
                },
                spill -> titles);
    }

    @Override
    public Optional<Session> find(SessionId id) {
        return reading.either(
                s -> {
                    try (Knowledge.Look look = knowledge.look(id)) {
                        Optional<Session> found = s.sessions().find(id);
                        found.ifPresent(look::saw);
                        return found;
                    }
                },
                spill -> Optional.of(spill.session(id)));
    }

    @Override
    public List<SessionListing> list(SessionQuery query) {
        return reading.whole("The list of sessions", s -> s.sessions().list(query));
    }

    @Override
    public void forEach(Consumer<Session> each) {
        reading.unlocked("All sessions").sessions().forEach(each);
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
        return reading.either(
                s -> s.sessions().childrenOf(id),
                spill -> spill.stored().map(s -> s.sessions().childrenOf(id)).orElse(List.of()));
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

    @Override
    public List<String> unusableIds(Optional<String> source) {
        return reading.whole("Ids that cannot be used", s -> s.sessions().unusableIds(source));
    }

    @Override
    public List<UsageSlot> usage(Instant from, Instant to) {
        return reading.whole("Usage", s -> s.sessions().usage(from, to));
    }

    @Override
    public Page<SessionListing> page(SessionQuery query, Optional<Cursor> after) {
        return reading.whole("The list of sessions", s -> s.sessions().page(query, after));
    }
}
