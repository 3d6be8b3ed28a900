package dev.parley.bootstrap.wiring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.parley.application.agents.BlockingAgents;
import dev.parley.application.gateway.Gateway;
import dev.parley.application.gateway.StopMode;
import dev.parley.application.port.AgentAnswer;
import dev.parley.application.port.AnswerListener;
import dev.parley.application.port.GatewayEvent;
import dev.parley.application.port.InvalidRequest;
import dev.parley.application.port.Receipt;
import dev.parley.application.port.Received;
import dev.parley.application.spi.Storage;
import dev.parley.domain.source.Platform;
import dev.parley.domain.source.SessionSource;
import dev.parley.domain.turn.TurnId;
import dev.parley.home.GatewayHome;
import dev.parley.testing.RecordingPlatform;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A gateway that is put together by hand has the packaged one's fallback in one line. */
class HomeStorageTest {
    @TempDir
    private Path directory;

    private final CountDownLatch degraded = new CountDownLatch(1);
    private final CountDownLatch healed = new CountDownLatch(1);

    private GatewayHome take() {
        return GatewayHome.take(directory, Clock.systemUTC(), warning -> {});
    }

    private void on(GatewayEvent event) {
        if (event instanceof GatewayEvent.Degraded) {
            degraded.countDown();
        } else if (event instanceof GatewayEvent.Healed) {
            healed.countDown();
        }
    }

    @Test
    void whatComesWhileTheStorageCannotBeOpenedIsAnsweredAndMergedBackOnceItCan() throws Exception {
        Path database = directory.resolve("state.db");
        Path aside = directory.resolve("aside");
        talk("one", () -> {});
        for (String part : List.of("", "-wal", "-shm")) {
            move(database.resolveSibling("state.db" + part), aside.resolveSibling("aside" + part));
        }
        Files.createDirectory(database);

        talk("two", () -> {
            degraded.await();
            Files.delete(database);
            for (String part : List.of("", "-wal", "-shm")) {
                move(aside.resolveSibling("aside" + part), database.resolveSibling("state.db" + part));
            }
            assertThat(healed.await(2, TimeUnit.MINUTES)).as("healed").isTrue();
        });

        try (GatewayHome home = take();
                Storage storage = home.open("sqlite:state.db")) {
            assertThat(storage.transcripts().countAll()).isEqualTo(4);
        }
    }

    private interface Step {
        void run() throws Exception;
    }

    private void talk(String text, Step then) throws Exception {
        RecordingPlatform platform = new RecordingPlatform(Platform.TELEGRAM);
        try (GatewayHome home = take();
                Storage storage = home.open("sqlite:state.db", "jsonl:fallback", this::on)) {
            Gateway gateway = home.gateway()
                    .storage(storage)
                    .platform(platform)
                    .agents(new BlockingAgents(
                            "a",
                            home.threads().agents(),
                            home.clock(),
                            turn -> AgentAnswer.text("done"),
                            (history, focus) -> ""))
                    .build();
            gateway.start().toCompletableFuture().join();
            CompletableFuture<Void> answered = new CompletableFuture<>();
            AnswerListener listener = new AnswerListener() {
                @Override
                public void finished(TurnId turn, String answer) {
                    answered.complete(null);
                }

                @Override
                public void closed(String why) {
                    answered.completeExceptionally(new AssertionError(why));
                }
            };
            SessionSource chat = SessionSource.builder(Platform.TELEGRAM, "1").build();
            assertThat(gateway.receive(new Received(chat, text, List.of(), Optional.empty()), listener)
                            .toCompletableFuture()
                            .get())
                    .isInstanceOf(Receipt.Admitted.class);
            answered.get();
            then.run();
            gateway.stop(StopMode.SHUTDOWN).toCompletableFuture().get();
        }
    }

    private static void move(Path from, Path to) throws IOException {
        if (Files.exists(from)) {
            Files.move(from, to);
        }
    }

    @Test
    void anAddressThatNoBackendHasIsToldWithThoseThatAreThere() {
        try (GatewayHome home = take()) {
            assertThatThrownBy(() -> home.open("h2:here"))
                    .isInstanceOf(InvalidRequest.class)
                    .hasMessageContaining("h2:here")
                    .hasMessageContaining("sqlite");
            assertThatThrownBy(() -> home.open("somewhere"))
                    .isInstanceOf(InvalidRequest.class)
                    .hasMessageContaining("SCHEME:ADDRESS");
            assertThatThrownBy(() -> home.open("sqlite:state.db", "sqlite:other.db", event -> {}))
                    .isInstanceOf(InvalidRequest.class)
                    .hasMessageContaining("sqlite:other.db cannot be a fallback");
        }
    }
}
