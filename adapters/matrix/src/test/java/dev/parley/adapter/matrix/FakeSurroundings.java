package dev.parley.adapter.matrix;

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
import dev.parley.domain.turn.InboundId;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Function;

/** What stands around the platform under test: takes what it hands in as it is told to, and remembers what it says. */
final class FakeSurroundings implements InboundListener, Ids, AutoCloseable {
    static final String TOKEN = "syt_matrix-secret";
    static final Instant NOW = Instant.parse("2026-03-10T09:00:00Z");

    final List<Received> received = new CopyOnWriteArrayList<>();
    final List<Happened> happened = new CopyOnWriteArrayList<>();
    final List<String> connections = new CopyOnWriteArrayList<>();
    final List<String> warnings = new CopyOnWriteArrayList<>();
    final Cursors cursors = Cursors.inMemory();
    final ExecutorService executor = Executors.newCachedThreadPool();
    private final ScheduledExecutorService later = Executors.newSingleThreadScheduledExecutor();
    volatile Instant now = NOW;
    volatile MediaStore media = MediaStore.NONE;
    volatile Function<Received, CompletionStage<Receipt>> taking = message -> admitted();

    ProviderSettings settings(Path home, Map<String, String> values) {
        return settings(home, values, Map.of("MATRIX_ACCESS_TOKEN", TOKEN));
    }

    ProviderSettings settings(Path home, Map<String, String> values, Map<String, String> environment) {
        Map<String, String> all = new HashMap<>(Map.of("sync_timeout", "2"));
        all.putAll(values);
        Timers timers = (delay, task) -> {
            // Pauses pass ten times as fast.
            var scheduled = later.schedule(task, delay.toMillis() / 10, TimeUnit.MILLISECONDS);
            return () -> scheduled.cancel(false);
        };
        GatewayInspection inspection = partly(GatewayInspection.class);
        return new ProviderSettings(
                        "platforms.matrix",
                        all,
                        environment,
                        home,
                        () -> now,
                        this,
                        timers,
                        executor,
                        warnings::add,
                        inspection)
                .keeping(cursors, media);
    }

    private static <T> T partly(Class<T> type) {
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, (proxy, method, args) -> {
            throw new AssertionError("not asked for here: " + method.getName());
        }));
    }

    static CompletionStage<Receipt> admitted() {
        return CompletableFuture.completedFuture(
                new Receipt.Admitted(new InboundId("in-1"), SessionKey.of("agent:main:matrix:dm:r")));
    }

    /** Waits until something holds; fails where that takes too long. */
    static void until(String what, BooleanSupplier holds) throws InterruptedException {
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

    List<String> texts() {
        return received.stream().map(Received::text).toList();
    }

    @Override
    public CompletionStage<Receipt> receive(Received message, AnswerListener answer) {
        received.add(message);
        return taking.apply(message);
    }

    @Override
    public CompletionStage<Receipt> happened(Happened what) {
        happened.add(what);
        return admitted();
    }

    @Override
    public void connected(Platform platform) {
        connections.add("connected");
    }

    @Override
    public void disconnected(Platform platform) {
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
