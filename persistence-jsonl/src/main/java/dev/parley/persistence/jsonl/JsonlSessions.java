package dev.parley.persistence.jsonl;

import dev.parley.application.port.SessionListing;
import dev.parley.application.port.SessionQuery;
import dev.parley.application.port.SessionStatistics;
import dev.parley.application.port.Sessions;
import dev.parley.domain.key.SessionKey;
import dev.parley.domain.session.Session;
import dev.parley.domain.session.SessionId;
import dev.parley.domain.usage.TokenUsage;
import dev.parley.persistence.jsonl.state.Store;
import java.time.Instant;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/** The sessions of a store, from memory. */
final class JsonlSessions implements Sessions {
    private final Store store;

    JsonlSessions(Store store) {
        this.store = store;
    }

    @Override
    public Optional<Session> find(SessionId id) {
        return store.read(() -> store.session(id));
    }

    @Override
    public List<SessionListing> list(SessionQuery query) {
        return store.read(() -> new SessionRows(store, query).list());
    }

    @Override
    public void forEach(Consumer<Session> each) {
        all().stream()
                .sorted(Comparator.comparing(Session::startedAt).thenComparing(Session::id))
                .forEach(each);
    }

    @Override
    public long count(Optional<String> source) {
        return all().stream().filter(session -> isFrom(session, source)).count();
    }

    @Override
    public Optional<Session> findByTitle(String title) {
        return store.read(() -> store.titled(title).flatMap(store::session));
    }

    @Override
    public List<Session> titledLike(String base) {
        String numbered = asciiLower(base + " #");
        return all().stream()
                .filter(session -> session.title()
                        .filter(title -> title.equals(base) || asciiLower(title).startsWith(numbered))
                        .isPresent())
                .sorted(Store.NEWEST_FIRST)
                .toList();
    }

    @Override
    public List<Session> withIdPrefix(String prefix, int limit) {
        String wanted = asciiLower(prefix);
        return all().stream()
                .filter(session -> asciiLower(session.id().value()).startsWith(wanted))
                .sorted(Comparator.comparing(Session::id))
                .limit(Math.max(0, limit))
                .toList();
    }

    @Override
    public List<Session> childrenOf(SessionId id) {
        return store.read(() -> store.childrenOf(id)).stream()
                .sorted(Store.NEWEST_FIRST)
                .toList();
    }

    @Override
    public List<Session> ofLane(SessionKey key, int limit) {
        return store.read(() -> store.ofLane(key)).stream()
                .sorted(Store.NEWEST_FIRST)
                .limit(Math.max(0, limit))
                .toList();
    }

    @Override
    public List<SessionId> endedBefore(Instant before, Optional<String> source) {
        return all().stream()
                .filter(session -> !session.isLive() && session.startedAt().isBefore(before) && isFrom(session, source))
                .map(Session::id)
                .sorted()
                .toList();
    }

    @Override
    public SessionStatistics statistics() {
        return store.read(() -> {
            Collection<Session> all = store.sessions();
            long messages = all.stream()
                    .mapToLong(session -> store.digest(session.id()).rows())
                    .sum();
            Map<String, List<Session>> byModel = all.stream()
                    .filter(session -> session.model().isPresent())
                    .collect(Collectors.groupingBy(session -> session.model().orElseThrow()));
            List<SessionStatistics.ModelUsage> models = byModel.entrySet().stream()
                    .map(each -> new SessionStatistics.ModelUsage(
                            each.getKey(), each.getValue().size(), tokens(each.getValue()), cost(each.getValue())))
                    .sorted(Comparator.comparing((SessionStatistics.ModelUsage each) ->
                                    -each.estimatedCostUsd().orElse(0.0))
                            .thenComparing(SessionStatistics.ModelUsage::model))
                    .toList();
            return new SessionStatistics(all.size(), messages, tokens(all), cost(all), models);
        });
    }

    static boolean isFrom(Session session, Optional<String> source) {
        return source.filter(wanted -> !wanted.isEmpty() && !wanted.equals(session.source()))
                .isEmpty();
    }

    static String asciiLower(String text) {
        StringBuilder lower = new StringBuilder(text.length());
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            lower.append(c >= 'A' && c <= 'Z' ? (char) (c + ('a' - 'A')) : c);
        }
        return lower.toString();
    }

    private Collection<Session> all() {
        return store.read(store::sessions);
    }

    private static TokenUsage tokens(Collection<Session> sessions) {
        return sessions.stream().map(Session::tokens).reduce(TokenUsage.NONE, TokenUsage::plus);
    }

    private static Optional<Double> cost(Collection<Session> sessions) {
        return sessions.stream()
                .flatMap(session -> session.billing().estimatedCostUsd().stream())
                .reduce(Double::sum);
    }
}
