package dev.parley.fakes.gateway;

import dev.parley.application.port.AnswerListener;
import dev.parley.application.port.Cursors;
import dev.parley.application.port.GatewayInspection;
import dev.parley.application.port.Happened;
import dev.parley.application.port.Ids;
import dev.parley.application.port.InboundListener;
import dev.parley.application.port.MediaStore;
import dev.parley.application.port.Receipt;
import dev.parley.application.port.Received;
import dev.parley.application.port.Timers;
import dev.parley.application.spi.ProviderSettings;
import dev.parley.domain.key.SessionKey;
import dev.parley.domain.source.Platform;
import dev.parley.domain.source.SessionSource;
import dev.parley.domain.turn.InboundId;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import java.util.function.Function;

/**
 * What stands around a platform under test: it takes what the platform hands in as it is told to, and remembers what the platform says.
 * Its clock stands still until it is set; pauses pass ten times as fast as on the wall. Safe for concurrent use.
 */
public final class FakeGateway implements InboundListener, Ids, AutoCloseable {
    /** What its clock shows at first. */
    public static final Instant NOW = Instant.parse("2026-03-10T09:00:00Z");

    private static final int HASTE = 10;

    private final Platform platform;
    private final Map<String, String> usual;
    private final Map<String, String> environment;
    private final List<Received> received = new CopyOnWriteArrayList<>();
    private final List<Happened> happened = new CopyOnWriteArrayList<>();
    private final List<String> connections = new CopyOnWriteArrayList<>();
    private final List<String> warnings = new CopyOnWriteArrayList<>();
    private final List<Duration> delays = new CopyOnWriteArrayList<>();
    private final Cursors cursors = Cursors.inMemory();
    private final ExecutorService executor = Executors.newCachedThreadPool();
    private final ScheduledExecutorService later = Executors.newSingleThreadScheduledExecutor();
    private volatile Instant now = NOW;
    private volatile Set<String> strangers = Set.of();
    private volatile MediaStore media = MediaStore.NONE;
    private volatile Function<Received, CompletionStage<Receipt>> taking = message -> admitted();
    private volatile Function<Happened, CompletionStage<Receipt>> takingEvents = what -> admitted();
    private final AtomicReference<Error> failing = new AtomicReference<>();

    /**
     * A gateway that takes everything.
     *
     * @param platform the platform under test
     * @param usual its settings where a test does not say otherwise
     * @param environment the environment, with its secrets
     */
    public FakeGateway(Platform platform, Map<String, String> usual, Map<String, String> environment) {
        this.platform = platform;
        this.usual = Map.copyOf(usual);
        this.environment = Map.copyOf(environment);
    }

    /** Returns what a platform is made with. */
    public ProviderSettings settings(Path home, Map<String, String> values) {
        return settings(home, values, environment);
    }

    /** Returns what a platform is made with in another environment. */
    public ProviderSettings settings(Path home, Map<String, String> values, Map<String, String> variables) {
        Map<String, String> all = new HashMap<>(usual);
        all.putAll(values);
        Timers timers = (delay, task) -> {
            delays.add(delay);
            ScheduledFuture<?> scheduled = later.schedule(task, delay.toMillis() / HASTE, TimeUnit.MILLISECONDS);
            return () -> scheduled.cancel(false);
        };
        Class<GatewayInspection> type = GatewayInspection.class;
        GatewayInspection inspection = type.cast(
                Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, (proxy, method, args) -> {
                    throw new AssertionError("not asked for here: " + method.getName());
                }));
        return new ProviderSettings(
                        "platforms." + platform.name(),
                        all,
                        variables,
                        home,
                        () -> now,
                        this,
                        timers,
                        executor,
                        warnings::add,
                        inspection)
                .keeping(cursors, media);
    }

    /** Returns after how long something was to happen, each time that a timer was asked for, in order. */
    public List<Duration> delays() {
        return List.copyOf(delays);
    }

    /** Sets its clock. */
    public void now(Instant at) {
        now = at;
    }

    /** Returns what its clock shows. */
    public Instant now() {
        return now;
    }

    /** Sets where files are kept; settings that are made from then on have it. */
    public void media(MediaStore store) {
        media = store;
    }

    /** Answers each message so from now on. */
    public void taking(Function<Received, CompletionStage<Receipt>> how) {
        taking = how;
    }

    /** Answers what happened so from now on. */
    public void takingEvents(Function<Happened, CompletionStage<Receipt>> how) {
        takingEvents = how;
    }

    /** Throws this when the platform says the next time that it is connected. */
    public void failing(Error once) {
        failing.set(once);
    }

    /** Lets nobody talk whose id is one of these, as far as a platform asks; what it hands in is taken as before. */
    public void strangers(Set<String> userIds) {
        strangers = Set.copyOf(userIds);
    }

    /** Returns an admission. */
    public static CompletionStage<Receipt> admitted() {
        return CompletableFuture.completedFuture(
                new Receipt.Admitted(new InboundId("in-1"), SessionKey.of("agent:main:fake:dm:1")));
    }

    /** Returns what was handed in, repetitions included. */
    public List<Received> received() {
        return List.copyOf(received);
    }

    /** Returns the texts of what was handed in. */
    public List<String> texts() {
        return received.stream().map(Received::text).toList();
    }

    /** Returns what happened, as it was handed in. */
    public List<Happened> happened() {
        return List.copyOf(happened);
    }

    /** Returns {@code connected} and {@code disconnected}, in the order in which the platform said it. */
    public List<String> connections() {
        return List.copyOf(connections);
    }

    /** Returns what the operator was told. */
    public List<String> warnings() {
        return List.copyOf(warnings);
    }

    /** Returns the places that the platform keeps. */
    public Cursors cursors() {
        return cursors;
    }

    /**
     * Waits until something holds.
     *
     * @throws AssertionError where that takes longer than a minute
     */
    public static void until(String what, BooleanSupplier holds) throws InterruptedException {
        Object nobody = new Object();
        long deadline = System.nanoTime() + Duration.ofSeconds(60).toNanos();
        while (!holds.getAsBoolean()) {
            if (System.nanoTime() > deadline) {
                throw new AssertionError("Not so: " + what);
            }
            synchronized (nobody) {
                nobody.wait(5);
            }
        }
    }

    @Override
    public CompletionStage<Receipt> receive(Received message, AnswerListener answer) {
        received.add(message);
        return taking.apply(message);
    }

    @Override
    public CompletionStage<Receipt> happened(Happened what) {
        happened.add(what);
        return takingEvents.apply(what);
    }

    @Override
    public CompletionStage<Boolean> mayTalk(SessionSource source) {
        return CompletableFuture.completedFuture(
                source.userId().filter(strangers::contains).isEmpty());
    }

    @Override
    public void connected(Platform which) {
        Error error = failing.getAndSet(null);
        if (error != null) {
            throw error;
        }
        connections.add("connected");
    }

    @Override
    public void disconnected(Platform which) {
        connections.add("disconnected");
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
        later.shutdownNow();
    }
}
