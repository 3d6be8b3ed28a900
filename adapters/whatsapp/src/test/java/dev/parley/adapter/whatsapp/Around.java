package dev.parley.adapter.whatsapp;

import dev.parley.application.port.AnswerListener;
import dev.parley.application.port.GatewayInspection;
import dev.parley.application.port.Happened;
import dev.parley.application.port.InboundListener;
import dev.parley.application.port.InvalidRequest;
import dev.parley.application.port.MediaStore;
import dev.parley.application.port.Receipt;
import dev.parley.application.port.Received;
import dev.parley.application.spi.ProviderSettings;
import dev.parley.contracts.port.ChatPlatformContract.Inbox;
import dev.parley.contracts.port.HurriedTime;
import dev.parley.domain.source.Platform;
import dev.parley.domain.source.SessionSource;
import dev.parley.domain.turn.Attachment;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;

/** What stands around the platform under test: takes what it hands in as it is told to, and remembers what it says. */
final class Around implements InboundListener, MediaStore, AutoCloseable {
    final List<Received> received = new CopyOnWriteArrayList<>();
    final List<Happened> happened = new CopyOnWriteArrayList<>();
    final List<String> connections = new CopyOnWriteArrayList<>();
    final List<String> warnings = new CopyOnWriteArrayList<>();
    final List<String> files = new CopyOnWriteArrayList<>();
    final AtomicReference<Error> failing = new AtomicReference<>();
    private final HurriedTime time = new HurriedTime();
    private final ExecutorService executor = Executors.newCachedThreadPool();
    volatile Function<Received, CompletionStage<Receipt>> taking =
            message -> CompletableFuture.completedFuture(Inbox.admitted());

    ProviderSettings settings(Path home, FakeWhatsApp whatsApp, Map<String, String> values) {
        Map<String, String> all = new HashMap<>(Map.of("bridge", whatsApp.bridge.toString()));
        all.putAll(values);
        return settings(
                home,
                all,
                Map.of(
                        "PATH",
                        System.getenv("PATH"),
                        "TEST_WHATSAPP",
                        whatsApp.server.toString(),
                        "OTHER_SECRET",
                        "not for the bridge"));
    }

    ProviderSettings settings(Path home, Map<String, String> values, Map<String, String> environment) {
        return ProviderSettings.builder("platforms.whatsapp", home)
                .values(values)
                .environment(environment)
                .clock(time)
                .ids(time)
                .timers(time)
                .executor(executor)
                .warnings(warnings::add)
                .inspection(GatewayInspection.class.cast(Proxy.newProxyInstance(
                        Around.class.getClassLoader(),
                        new Class<?>[] {GatewayInspection.class},
                        (proxy, method, args) -> {
                            throw new AssertionError("not asked for here: " + method.getName());
                        })))
                .media(this)
                .build();
    }

    @Override
    public CompletionStage<Receipt> receive(Received message, AnswerListener answer) {
        received.add(message);
        return taking.apply(message);
    }

    @Override
    public CompletionStage<Boolean> mayTalk(SessionSource source) {
        return CompletableFuture.completedFuture(true);
    }

    @Override
    public CompletionStage<Receipt> happened(Happened what) {
        happened.add(what);
        return CompletableFuture.completedFuture(Inbox.admitted());
    }

    @Override
    public void connected(Platform platform) {
        Error error = failing.getAndSet(null);
        if (error != null) {
            throw error;
        }
        connections.add("connected");
    }

    @Override
    public void disconnected(Platform platform) {
        connections.add("disconnected");
    }

    List<String> texts() {
        return received.stream().map(Received::text).toList();
    }

    @Override
    public Attachment keep(InputStream content, Attachment named) {
        try {
            byte[] bytes = content.readAllBytes();
            files.add(new String(bytes, StandardCharsets.UTF_8));
            return new Attachment(
                    named.kind(),
                    "/kept/" + files.size(),
                    named.name(),
                    named.mediaType(),
                    Optional.empty(),
                    Optional.of((long) bytes.length));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public InputStream open(Attachment attachment) {
        throw new InvalidRequest("Nothing is opened here.");
    }

    @Override
    public long largest() {
        return 1_000;
    }

    @Override
    public void close() {
        executor.shutdownNow();
        time.close();
    }
}
