package dev.parley.application.scan;

import dev.parley.application.port.SessionListing;
import dev.parley.application.port.SessionQuery;
import dev.parley.application.port.SessionStatistics;
import dev.parley.application.port.Sessions;
import dev.parley.domain.key.SessionKey;
import dev.parley.domain.session.Session;
import dev.parley.domain.session.SessionId;
import dev.parley.domain.session.SessionPeer;
import dev.parley.domain.usage.TokenUsage;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/** Reads the sessions by looking at every one, which costs time in proportion to their number. Safe where the snapshot is. */
public final class ScannedSessions implements Sessions {
    static final Comparator<Session> NEWEST_FIRST =
            Comparator.comparing(Session::startedAt).thenComparing(Session::id).reversed();

    private final Snapshot snapshot;

    /** Reads what the snapshot shows. */
    public ScannedSessions(Snapshot snapshot) {
        this.snapshot = snapshot;
    }

    @Override
    public Optional<Session> find(SessionId id) {
        return snapshot.read(r -> r.session(id));
    }

    @Override
    public List<SessionListing> list(SessionQuery query) {
        return snapshot.read(r -> new ListedSessions(r).list(query));
    }

    @Override
    public void forEach(Consumer<Session> each) {
        all().stream()
                .sorted(Comparator.comparing(Session::startedAt).thenComparing(Session::id))
                .forEach(each);
    }

    @Override
    public long count(Optional<String> source) {
        return all().stream().filter(s -> isFrom(s, source)).count();
    }

    @Override
    public Optional<Session> findByTitle(String title) {
        return all().stream()
                .filter(s -> s.title().filter(title::equals).isPresent())
                .findFirst();
    }

    @Override
    public List<Session> titledLike(String base) {
        String numbered = asciiLower(base + " #");
        return all().stream()
                .filter(s -> s.title()
                        .filter(t -> t.equals(base) || asciiLower(t).startsWith(numbered))
                        .isPresent())
                .sorted(NEWEST_FIRST)
                .toList();
    }

    @Override
    public List<Session> withIdPrefix(String prefix, int limit) {
        return all().stream()
                .filter(s -> asciiLower(s.id().value()).startsWith(asciiLower(prefix)))
                .sorted(Comparator.comparing(Session::id))
                .limit(Math.max(0, limit))
                .toList();
    }

    @Override
    public List<Session> childrenOf(SessionId id) {
        return all().stream()
                .filter(s -> s.parent().filter(id::equals).isPresent())
                .sorted(NEWEST_FIRST)
                .toList();
    }

    @Override
    public List<Session> ofLane(SessionKey key, int limit) {
        return all().stream()
                .filter(s -> s.peer().map(SessionPeer::key).filter(key::equals).isPresent())
                .sorted(NEWEST_FIRST)
                .limit(Math.max(0, limit))
                .toList();
    }

    @Override
    public List<SessionId> endedBefore(Instant before, Optional<String> source) {
        return all().stream()
                .filter(s -> !s.isLive() && s.startedAt().isBefore(before) && isFrom(s, source))
                .map(Session::id)
                .sorted()
                .toList();
    }

    @Override
    public SessionStatistics statistics() {
        List<Session> sessions = all();
        Map<String, List<Session>> byModel = sessions.stream()
                .filter(s -> s.model().isPresent())
                .collect(Collectors.groupingBy(s -> s.model().orElseThrow()));
        Comparator<SessionStatistics.ModelUsage> costliest =
                Comparator.comparing(m -> -m.estimatedCostUsd().orElse(0.0));
        return new SessionStatistics(
                sessions.size(),
                snapshot.read(r -> r.sessions().stream()
                        .mapToLong(s -> r.messages(s.id()).size())
                        .sum()),
                tokens(sessions),
                cost(sessions),
                byModel.entrySet().stream()
                        .map(e -> new SessionStatistics.ModelUsage(
                                e.getKey(), e.getValue().size(), tokens(e.getValue()), cost(e.getValue())))
                        .sorted(costliest.thenComparing(SessionStatistics.ModelUsage::model))
                        .toList());
    }

    static boolean isFrom(Session session, Optional<String> source) {
        return source.filter(s -> !s.isEmpty() && !s.equals(session.source())).isEmpty();
    }

    static String asciiLower(String text) {
        StringBuilder lower = new StringBuilder(text.length());
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            lower.append(c >= 'A' && c <= 'Z' ? (char) (c + 32) : c);
        }
        return lower.toString();
    }

    private List<Session> all() {
        return snapshot.read(r -> r.sessions());
    }

    private static TokenUsage tokens(List<Session> sessions) {
        return sessions.stream().map(Session::tokens).reduce(TokenUsage.NONE, TokenUsage::plus);
    }

    private static Optional<Double> cost(List<Session> sessions) {
        return sessions.stream()
                .flatMap(s -> s.billing().estimatedCostUsd().stream())
                .reduce(Double::sum);
    }
}
