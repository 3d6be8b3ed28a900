package dev.parley.adapter.http.server;

import dev.parley.application.port.AnswerListener;
import dev.parley.application.port.Cursor;
import dev.parley.application.port.EventQuery;
import dev.parley.application.port.GatewayEvent;
import dev.parley.application.port.GatewayHealth;
import dev.parley.application.port.GatewayInspection;
import dev.parley.application.port.Ids;
import dev.parley.application.port.InboundListener;
import dev.parley.application.port.LaneQuery;
import dev.parley.application.port.Lanes;
import dev.parley.application.port.Page;
import dev.parley.application.port.PlatformState;
import dev.parley.application.port.Receipt;
import dev.parley.application.port.Received;
import dev.parley.application.port.SearchHit;
import dev.parley.application.port.SearchQuery;
import dev.parley.application.port.SessionListing;
import dev.parley.application.port.SessionQuery;
import dev.parley.application.port.Sessions;
import dev.parley.application.port.Timers;
import dev.parley.application.port.TranscriptSearch;
import dev.parley.application.port.Transcripts;
import dev.parley.application.port.TurnQueue;
import dev.parley.application.spi.ProviderSettings;
import dev.parley.domain.change.LaneEvent;
import dev.parley.domain.key.SessionKey;
import dev.parley.domain.session.Lane;
import dev.parley.domain.session.Session;
import dev.parley.domain.session.SessionId;
import dev.parley.domain.source.Platform;
import dev.parley.domain.source.SessionSource;
import dev.parley.domain.transcript.StoredMessage;
import dev.parley.domain.turn.Inbound;
import dev.parley.domain.turn.InboundId;
import dev.parley.domain.turn.Outgoing;
import dev.parley.domain.turn.OutgoingId;
import dev.parley.domain.turn.TurnId;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.stream.Stream;

/** What stands behind the platform under test: takes messages as it is told to, and shows what it was given to show. */
final class FakeGateway implements InboundListener, GatewayInspection, Timers, Ids, AutoCloseable {
    static final Instant NOW = Instant.parse("2026-01-01T12:00:00Z");
    static final SessionKey LANE = SessionKey.of("agent:main:webhook:dm:c%3A1/x");

    final List<Received> received = new CopyOnWriteArrayList<>();
    final List<Platform> connected = new CopyOnWriteArrayList<>();
    final List<String> warnings = new CopyOnWriteArrayList<>();
    volatile GatewayHealth health = GatewayHealth.of(GatewayHealth.State.OK);
    final List<PlatformState> platforms = new CopyOnWriteArrayList<>();
    final List<LaneState> lanes = new CopyOnWriteArrayList<>();
    final List<SessionKey> awaitingPlace = new ArrayList<>();
    final List<LaneEvent> events = new CopyOnWriteArrayList<>();
    final List<SessionListing> listings = new CopyOnWriteArrayList<>();
    final List<SessionQuery> sessionQueries = new CopyOnWriteArrayList<>();
    final Map<SessionId, List<StoredMessage>> transcripts = new ConcurrentHashMap<>();
    final List<SearchHit> hits = new CopyOnWriteArrayList<>();
    final List<SearchQuery> searches = new CopyOnWriteArrayList<>();
    final List<Outgoing> stored = new CopyOnWriteArrayList<>();
    final List<GatewayEvent.OperatorActed> told = new CopyOnWriteArrayList<>();
    final List<String> changes = new CopyOnWriteArrayList<>();
    final ExecutorService executor = Executors.newCachedThreadPool();
    volatile boolean rejecting;
    volatile Optional<RuntimeException> broken = Optional.empty();
    volatile BiFunction<Received, AnswerListener, CompletionStage<Receipt>> taking = (message, answer) -> admitted();

    volatile boolean hangs;
    private final List<Due> due = new ArrayList<>();
    private Instant now = NOW;

    private record Due(Instant at, Runnable task) {}

    ProviderSettings settings(Path home, Map<String, String> values) {
        Map<String, String> all = new HashMap<>(Map.of("port", "0"));
        all.putAll(values);
        return new ProviderSettings(
                "platforms.http", all, Map.of(), home, () -> NOW, this, this, this::run, warnings::add, this);
    }

    private void run(Runnable task) {
        if (rejecting) {
            throw new RejectedExecutionException("nothing runs any more");
        }
        executor.execute(task);
    }

    static CompletionStage<Receipt> admitted() {
        return CompletableFuture.completedFuture(new Receipt.Admitted(new InboundId("in-1"), LANE));
    }

    static Outgoing outgoing(String id, String chat, Outgoing.Kind kind, String text, Optional<TurnId> turn) {
        return new Outgoing(
                new OutgoingId(id),
                Optional.of(LANE),
                Platform.WEBHOOK,
                chat,
                Optional.empty(),
                text,
                kind,
                NOW,
                turn,
                Outgoing.State.ATTEMPTED,
                1);
    }

    /** Lets time pass for the timers. */
    void advance(Duration by) {
        List<Due> ready;
        synchronized (this) {
            now = now.plus(by);
            ready = due.stream()
                    .filter(d -> !d.at().isAfter(now))
                    .sorted(Comparator.comparing(Due::at))
                    .toList();
            due.removeAll(ready);
        }
        ready.forEach(d -> d.task().run());
    }

    synchronized int timers() {
        return due.size();
    }

    @Override
    public synchronized Timer after(Duration delay, Runnable task) {
        Due entry = new Due(now.plus(delay), task);
        due.add(entry);
        return () -> {
            synchronized (this) {
                due.remove(entry);
            }
        };
    }

    @Override
    public CompletionStage<Receipt> receive(Received message, AnswerListener answer) {
        received.add(message);
        return taking.apply(message, answer);
    }

    @Override
    public void connected(Platform platform) {
        connected.add(platform);
    }

    @Override
    public void disconnected(Platform platform) {
        connected.remove(platform);
    }

    private void fail() {
        broken.ifPresent(e -> {
            throw e;
        });
    }

    @Override
    public List<LaneState> lanes() {
        fail();
        return lanes;
    }

    @Override
    public Lanes laneReads() {
        fail();
        return partly(Lanes.class, (method, arguments) -> switch (method) {
            case "forEach" -> {
                @SuppressWarnings("unchecked")
                Consumer<Lane> each = (Consumer<Lane>) arguments[0];
                lanes.forEach(state -> each.accept(state.lane()));
                yield Optional.empty();
            }
            case "page" -> {
                LaneQuery query = (LaneQuery) arguments[0];
                yield Page.of(
                        lanes.stream()
                                .map(LaneState::lane)
                                .filter(query::matches)
                                .toList(),
                        query.limit(),
                        lane -> new Cursor(lane.entry().updatedAt(), lane.key().value()));
            }
            case "events" -> {
                EventQuery query = (EventQuery) arguments[0];
                yield Page.of(
                        events.stream().filter(query::matches).toList(),
                        query.limit(),
                        event -> new Cursor(event.at(), "1"));
            }
            default -> throw new AssertionError("not asked for here: " + method);
        });
    }

    @Override
    public List<SessionKey> awaitingPlace() {
        return List.copyOf(awaitingPlace);
    }

    @Override
    public List<SessionKey> running() {
        return lanes.stream()
                .filter(LaneState::running)
                .map(state -> state.lane().key())
                .toList();
    }

    @Override
    public Map<String, String> storageStatus() {
        return Map.of();
    }

    @Override
    public boolean order(LaneOrder order, SessionKey key, long epoch) {
        changes.add(order + " " + key.value() + " at " + epoch);
        return true;
    }

    @Override
    public Optional<LaneState> lane(SessionKey key) {
        return lanes.stream().filter(state -> state.lane().key().equals(key)).findFirst();
    }

    @Override
    public List<LaneEvent> history(SessionKey key, int limit) {
        return events.stream()
                .filter(event -> event.lane().equals(key))
                .limit(limit)
                .toList();
    }

    @Override
    public Sessions sessions() {
        return partly(Sessions.class, (method, arguments) -> switch (method) {
            case "list" -> {
                sessionQueries.add((SessionQuery) arguments[0]);
                yield listings;
            }
            case "find" ->
                listings.stream()
                        .map(SessionListing::session)
                        .filter((Session session) -> session.id().equals(arguments[0]))
                        .findFirst();
            default -> throw new AssertionError("not asked for here: " + method);
        });
    }

    @Override
    public Transcripts transcripts() {
        return partly(Transcripts.class, (method, arguments) -> {
            List<StoredMessage> all = transcripts.getOrDefault(arguments[0], List.of());
            return switch (method) {
                case "load" -> all;
                case "around" ->
                    all.stream()
                            .filter(m -> m.sequence() >= (long) arguments[1] - (int) arguments[2]
                                    && m.sequence() <= (long) arguments[1] + (int) arguments[3])
                            .filter(m -> all.stream().anyMatch(each -> each.sequence() == (long) arguments[1]))
                            .toList();
                case "tail" -> all.subList(Math.max(0, all.size() - (int) arguments[1]), all.size());
                default -> throw new AssertionError("not asked for here: " + method);
            };
        });
    }

    @Override
    public TranscriptSearch search() {
        return query -> {
            searches.add(query);
            return hits;
        };
    }

    @Override
    @SuppressWarnings("unchecked")
    public TurnQueue queue() {
        return partly(TurnQueue.class, (method, arguments) -> {
            if (method.equals("admitted")) {
                return lanes.stream()
                        .flatMap(state -> Stream.generate(
                                        () -> waiting(state.lane().key()))
                                .limit(state.depth()))
                        .toList();
            }
            if (!method.equals("sentTo")) {
                throw new AssertionError("not asked for here: " + method);
            }
            Optional<OutgoingId> after = (Optional<OutgoingId>) arguments[2];
            return stored.stream()
                    .filter(message -> message.platform().equals(arguments[0])
                            && message.chatId().equals(arguments[1])
                            && (message.state() == Outgoing.State.DELIVERED
                                    || message.state() == Outgoing.State.ATTEMPTED))
                    .dropWhile(message -> after.isPresent() && !message.id().equals(after.get()))
                    .skip(after.isPresent() ? 1 : 0)
                    .limit((Integer) arguments[3])
                    .toList();
        });
    }

    @Override
    public GatewayHealth health() {
        return health;
    }

    @Override
    public List<PlatformState> platforms() {
        return platforms;
    }

    @Override
    public CompletionStage<Void> alive() {
        return hangs ? new CompletableFuture<>() : CompletableFuture.completedFuture(null);
    }

    @Override
    public void told(GatewayEvent.OperatorActed act) {
        told.add(act);
    }

    @Override
    public boolean resetLane(SessionKey key) {
        return change("reset", key);
    }

    @Override
    public boolean suspendLane(SessionKey key) {
        return change("suspend", key);
    }

    @Override
    public Pruned prune(Instant before, long counted) {
        return new Pruned(0, 0);
    }

    @Override
    public boolean interruptLane(SessionKey key) {
        return change("interrupt", key) && lane(key).get().running();
    }

    private boolean change(String what, SessionKey key) {
        changes.add(what + " " + key);
        return lane(key).isPresent();
    }

    @Override
    public String sessionSuffix() {
        return "00000000";
    }

    @Override
    public String unique(String prefix) {
        return prefix + "-1";
    }

    @Override
    public Duration jitter(Duration least, Duration most) {
        return least;
    }

    @Override
    public void close() {
        executor.shutdownNow();
    }

    private static Inbound waiting(SessionKey lane) {
        SessionSource source = SessionSource.builder(Platform.WEBHOOK, "c").build();
        return Inbound.builder(new InboundId("in"), lane, 1, Inbound.Kind.MESSAGE, source, "", NOW)
                .build();
    }

    private static <T> T partly(Class<T> type, BiFunction<String, Object[], Object> calls) {
        return type.cast(Proxy.newProxyInstance(
                type.getClassLoader(),
                new Class<?>[] {type},
                (proxy, method, arguments) -> calls.apply(method.getName(), arguments)));
    }
}
