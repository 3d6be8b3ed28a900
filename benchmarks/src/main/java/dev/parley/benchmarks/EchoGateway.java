package dev.parley.benchmarks;

import dev.parley.adapter.echo.EchoProvider;
import dev.parley.application.gateway.Gateway;
import dev.parley.application.port.AnswerListener;
import dev.parley.application.port.ChatPlatform;
import dev.parley.application.port.GatewayInspection;
import dev.parley.application.port.GatewayMarkers;
import dev.parley.application.port.Ids;
import dev.parley.application.port.InboundListener;
import dev.parley.application.port.Received;
import dev.parley.application.port.Timers;
import dev.parley.application.replay.SeededIds;
import dev.parley.application.spi.ProviderSettings;
import dev.parley.application.spi.Storage;
import dev.parley.application.spi.StorageSettings;
import dev.parley.domain.key.SessionKey;
import dev.parley.domain.source.Platform;
import dev.parley.domain.source.SessionSource;
import dev.parley.domain.turn.Outgoing;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/** A gateway with the echo agent, and a platform that does nothing but count: what is left is the gateway and its store. */
final class EchoGateway implements AutoCloseable {
    private final Path folder;
    private final Storage store;
    private final ExecutorService executor = Executors.newCachedThreadPool();
    private final ScheduledThreadPoolExecutor scheduler = new ScheduledThreadPoolExecutor(1);
    private final Counter platform = new Counter();
    private final Gateway gateway;
    private final AtomicLong messages = new AtomicLong();

    /** A gateway on a SQLite store of its own, which goes with it. */
    static EchoGateway onSqlite() throws IOException {
        Path folder = Stores.folder();
        return new EchoGateway(Stores.sqlite(folder.resolve("state.db"), StorageSettings.Mode.READ_WRITE), folder);
    }

    /** Starts a gateway; its store is closed and its folder removed when it is closed. */
    EchoGateway(Storage store, Path folder) {
        this.store = store;
        this.folder = folder;
        Ids ids = new SeededIds(1);
        scheduler.setRemoveOnCancelPolicy(true);
        Timers timers = (delay, task) -> {
            ScheduledFuture<?> due =
                    scheduler.schedule(() -> executor.execute(task), delay.toNanos(), TimeUnit.NANOSECONDS);
            return () -> due.cancel(false);
        };
        gateway = Gateway.builder()
                .storage(store)
                .agents(new EchoProvider()
                        .create(new ProviderSettings(
                                "agents.echo",
                                Map.of(),
                                Map.of(),
                                folder,
                                InstantSource.system(),
                                ids,
                                timers,
                                executor,
                                warning -> {},
                                nothing())))
                .platform(platform)
                .clock(InstantSource.system())
                .timers(timers)
                .ids(ids)
                .executor(executor)
                .markers(new NoMarkers())
                .build();
        gateway.start().toCompletableFuture().join();
    }

    /** Hands in a message of a lane; completes when its answer is delivered. */
    CompletableFuture<Outgoing> turn(int lane) {
        String chat = "c" + lane;
        CompletableFuture<Outgoing> delivered = new CompletableFuture<>();
        platform.expected.put(chat, delivered);
        SessionSource source = SessionSource.builder(Platform.TELEGRAM, chat)
                .userId("u" + lane)
                .build();
        gateway.receive(
                        new Received(source, "hello", List.of(), Optional.of("m" + messages.incrementAndGet())),
                        AnswerListener.NONE)
                .whenComplete((receipt, failure) -> {
                    if (failure != null) {
                        delivered.completeExceptionally(failure);
                    }
                });
        return delivered;
    }

    @Override
    public void close() throws IOException {
        executor.shutdownNow();
        scheduler.shutdownNow();
        store.close();
        Stores.remove(folder);
    }

    private static GatewayInspection nothing() {
        return (GatewayInspection) Proxy.newProxyInstance(
                GatewayInspection.class.getClassLoader(), new Class<?>[] {GatewayInspection.class}, (p, method, a) -> {
                    throw new AssertionError("an agent does not look into the gateway: " + method);
                });
    }

    /** A platform whose messages arrive at once. */
    private static final class Counter implements ChatPlatform {
        private final Map<String, CompletableFuture<Outgoing>> expected = new ConcurrentHashMap<>();

        @Override
        public Platform name() {
            return Platform.TELEGRAM;
        }

        @Override
        public Traits traits() {
            return new Traits(false, false, false);
        }

        @Override
        public void start(InboundListener listener) {
            listener.connected(Platform.TELEGRAM);
        }

        @Override
        public void send(Outgoing message) {
            CompletableFuture<Outgoing> waiting = expected.remove(message.chatId());
            if (waiting != null) {
                waiting.complete(message);
            }
        }

        @Override
        public void stop() {}
    }

    private static final class NoMarkers implements GatewayMarkers {
        @Override
        public boolean takeCleanShutdown() {
            return true;
        }

        @Override
        public void noteCleanShutdown() {}

        @Override
        public Map<SessionKey, Integer> restartCounts() {
            return Map.of();
        }

        @Override
        public void putRestartCounts(Map<SessionKey, Integer> counts) {}

        @Override
        public List<Instant> resumeBoots() {
            return List.of();
        }

        @Override
        public void putResumeBoots(List<Instant> boots) {}
    }
}
