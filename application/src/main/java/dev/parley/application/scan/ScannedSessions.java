package dev.parley.application.scan;

import dev.parley.application.port.SessionListing;
import dev.parley.application.port.SessionQuery;
import dev.parley.application.port.SessionStatistics;
import dev.parley.application.port.Sessions;
import dev.parley.domain.key.SessionKey;
import dev.parley.domain.session.Session;
import dev.parley.domain.session.SessionId;
import dev.parley.domain.text.Ascii;
import dev.parley.domain.usage.TokenUsage;
import dev.parley.domain.usage.UsageSlot;
import java.time.Instant;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** Reads the sessions by looking at every one, which costs time in proportion to their number. Safe where the snapshot is. */
public final class ScannedSessions implements Sessions {
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
        return snapshot.read(r -> new ListedSessions(r, query).list());
    }

    @Override
    public void forEach(Consumer<Session> each) {
        chosen(s -> true, Comparator.comparing(Session::startedAt).thenComparing(Session::id))
                .forEach(each);
    }

    @Override
    public long count(Optional<String> source) {
        return snapshot.read(r -> r.sessions().stream()
                .filter(s -> ListedSessions.isFrom(s, source))
                .count());
    }

    @Override
    public Optional<Session> findByTitle(String title) {
        return snapshot.read(r -> r.titled(title));
    }

    @Override
    public List<Session> titledLike(String base) {
        String numbered = Ascii.lower(base + " #");
        return chosen(
                s -> s.title()
                        .filter(t -> t.equals(base) || Ascii.lower(t).startsWith(numbered))
                        .isPresent(),
                ListedSessions.NEWEST_FIRST);
    }

    @Override
    public List<Session> withIdPrefix(String prefix, int limit) {
        String wanted = Ascii.lower(prefix);
        return first(
                limit, chosen(s -> Ascii.lower(s.id().value()).startsWith(wanted), Comparator.comparing(Session::id)));
    }

    @Override
    public List<Session> childrenOf(SessionId id) {
        return snapshot.read(r ->
                r.childrenOf(id).stream().sorted(ListedSessions.NEWEST_FIRST).toList());
    }

    @Override
    public List<Session> ofLane(SessionKey key, int limit) {
        return first(
                limit,
                snapshot.read(r -> r.ofLane(key).stream()
                        .sorted(ListedSessions.NEWEST_FIRST)
                        .toList()));
    }

    @Override
    public List<SessionId> endedBefore(Instant before, Optional<String> source) {
        return chosen(
                        s -> !s.isLive() && s.startedAt().isBefore(before) && ListedSessions.isFrom(s, source),
                        Comparator.comparing(Session::id))
                .stream()
                .map(Session::id)
                .toList();
    }

    @Override
    public List<UsageSlot> usage(Instant from, Instant to) {
        return snapshot.read(rows -> rows.usage().stream()
                .filter(slot ->
                        !slot.key().start().isBefore(from) && slot.key().start().isBefore(to))
                .sorted(Comparator.comparing(UsageSlot::key))
                .toList());
    }

    @Override
    public SessionStatistics statistics() {
        return snapshot.read(r -> {
            Collection<Session> sessions = r.sessions();
            Map<String, List<Session>> byModel = sessions.stream()
                    .filter(s -> s.model().isPresent())
                    .collect(Collectors.groupingBy(s -> s.model().orElseThrow()));
            Comparator<SessionStatistics.ModelUsage> costliest =
                    Comparator.comparing(m -> -m.estimatedCostUsd().orElse(0.0));
            return new SessionStatistics(
                    sessions.size(),
                    sessions.stream().mapToLong(s -> r.digest(s.id()).rows()).sum(),
                    tokens(sessions),
                    cost(sessions),
                    byModel.entrySet().stream()
                            .map(e -> new SessionStatistics.ModelUsage(
                                    e.getKey(), e.getValue().size(), tokens(e.getValue()), cost(e.getValue())))
                            .sorted(costliest.thenComparing(SessionStatistics.ModelUsage::model))
                            .toList());
        });
    }

    private List<Session> chosen(Predicate<Session> wanted, Comparator<Session> order) {
        return snapshot.read(
                r -> r.sessions().stream().filter(wanted).sorted(order).toList());
    }

    private static List<Session> first(int limit, List<Session> all) {
        return all.subList(0, Math.min(Math.max(0, limit), all.size()));
    }

    private static TokenUsage tokens(Collection<Session> sessions) {
        return sessions.stream().map(Session::tokens).reduce(TokenUsage.NONE, TokenUsage::plus);
    }

    private static Optional<Double> cost(Collection<Session> sessions) {
        return sessions.stream()
                .flatMap(s -> s.billing().estimatedCostUsd().stream())
                .reduce(Double::sum);
    }
}
