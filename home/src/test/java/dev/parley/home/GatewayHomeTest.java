package dev.parley.home;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.parley.application.agents.BlockingAgents;
import dev.parley.application.commands.BuiltInCommands;
import dev.parley.application.gateway.ExitStatus;
import dev.parley.application.gateway.Gateway;
import dev.parley.application.gateway.StopMode;
import dev.parley.application.port.AgentAnswer;
import dev.parley.application.port.AnswerListener;
import dev.parley.application.port.GatewayInspection;
import dev.parley.application.port.InvalidRequest;
import dev.parley.application.port.Receipt;
import dev.parley.application.port.Received;
import dev.parley.application.port.StorageUnavailable;
import dev.parley.application.spi.StorageSettings;
import dev.parley.domain.source.Platform;
import dev.parley.domain.source.SessionSource;
import dev.parley.testing.RecordingPlatform;
import dev.parley.testing.memory.MemoryStorage;
import java.io.BufferedReader;
import java.io.File;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A gateway that is put together by hand survives as the packaged one does. */
@Timeout(120)
class GatewayHomeTest {
    private static final int CHATS = 24;

    private final CountDownLatch asked = new CountDownLatch(CHATS);
    private final CountDownLatch released = new CountDownLatch(1);

    @TempDir
    private Path directory;

    private GatewayHome take() {
        return GatewayHome.take(directory, Clock.systemUTC(), warning -> {});
    }

    private static Received said(int chat, String text) {
        return new Received(
                SessionSource.builder(Platform.TELEGRAM, "" + chat).build(), text, List.of(), Optional.empty());
    }

    private AgentAnswer block() {
        asked.countDown();
        try {
            released.await();
            return AgentAnswer.text("done");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return AgentAnswer.text("interrupted");
        }
    }

    private Gateway.Builder gateway(GatewayHome home) {
        return home.gateway()
                .storage(new MemoryStorage())
                .platform(new RecordingPlatform(Platform.TELEGRAM))
                .commands(BuiltInCommands.all());
    }

    @Test
    void aHomeIsTakenByOneAtATime() {
        try (GatewayHome home = take()) {
            assertThat(home.directory().exists()).isTrue();
            assertThatThrownBy(this::take).isInstanceOf(InvalidRequest.class).hasMessageContaining("in use");
        }
        take().close();
    }

    @Test
    void aStopIsToldFromACrash() {
        try (GatewayHome home = take()) {
            Gateway gateway = gateway(home)
                    .agents(new BlockingAgents(
                            "a", home.threads().agents(), home.clock(), turn -> AgentAnswer.text("x"), (m, f) -> ""))
                    .build();
            gateway.start().toCompletableFuture().join();
            assertThat(home.markers().takeCleanShutdown()).as("while it runs").isFalse();
            gateway.stop(StopMode.SHUTDOWN).toCompletableFuture().join();
        }
        try (GatewayHome home = take()) {
            assertThat(home.markers().takeCleanShutdown())
                    .as("after it stopped")
                    .isTrue();
        }
    }

    @Test
    void agentsThatAllBlockKeepNoMessageWaitingAndNoCommandAndNoStop() throws Exception {
        try (GatewayHome home = take()) {
            Gateway gateway = gateway(home)
                    .agents(new BlockingAgents(
                            "a", home.threads().agents(), home.clock(), turn -> block(), (m, f) -> ""))
                    .build();
            gateway.start().toCompletableFuture().join();
            List<CompletableFuture<Receipt>> receipts = new ArrayList<>();
            for (int chat = 0; chat < CHATS; chat++) {
                receipts.add(
                        gateway.receive(said(chat, "work"), AnswerListener.NONE).toCompletableFuture());
            }
            asked.await();
            for (CompletableFuture<Receipt> receipt : receipts) {
                assertThat(receipt.get()).isInstanceOf(Receipt.Admitted.class);
            }
            assertThat(gateway.receive(said(0, "/status"), AnswerListener.NONE)
                            .toCompletableFuture()
                            .get())
                    .isInstanceOf(Receipt.Admitted.class);
            CompletableFuture<?> stopped = gateway.stop(StopMode.SHUTDOWN).toCompletableFuture();
            released.countDown();
            stopped.get();
        }
    }

    @Test
    void aSignalLetsTheRunningTurnEndAndClosesEverythingBeforeTheProcessEnds() throws Exception {
        String path = Stream.of("java.class.path", "jdk.module.path")
                .map(name -> System.getProperty(name, ""))
                .filter(part -> !part.isEmpty())
                .collect(Collectors.joining(File.pathSeparator));
        String testClasses = Path.of("target", "test-classes").toAbsolutePath().toString();
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        path + File.pathSeparator + testClasses,
                        SignalledGateway.class.getName(),
                        directory.toString())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        try (BufferedReader said = process.inputReader(StandardCharsets.UTF_8)) {
            assertThat(said.readLine()).isEqualTo("working");

            process.toHandle().destroy();

            assertThat(said.lines()).containsExactly("answered true", "closed");
            assertThat(process.waitFor()).as("128 and the number of the signal").isEqualTo(143);
        } finally {
            process.destroyForcibly();
        }
        try (GatewayHome home = take()) {
            assertThat(home.markers().takeCleanShutdown()).isTrue();
        }
    }

    @Test
    void whatPlatformsAreMadeWithLooksIntoTheGatewayThatRuns() {
        try (GatewayHome home = take()) {
            GatewayInspection looked = home.platform("platforms.x").build().inspection();
            assertThat(looked.health().rows()).containsEntry("status", "starting");
            assertThatThrownBy(looked::lanes).isInstanceOf(StorageUnavailable.class);
            Gateway gateway = gateway(home)
                    .agents(new BlockingAgents(
                            "a", home.threads().agents(), home.clock(), turn -> AgentAnswer.text("x"), (m, f) -> ""))
                    .build();

            ExitStatus exit = home.run(gateway, () -> {
                assertThat(looked.health().rows()).containsEntry("status", "ok");
                assertThat(looked.lanes()).isEmpty();
                gateway.stop(StopMode.RESTART);
            });

            assertThat(exit).isEqualTo(new ExitStatus(StopMode.RESTART, false));
        }
    }

    @Test
    void settingsThatLackSomethingSayWhat() {
        assertThatThrownBy(() -> StorageSettings.builder("state.db", directory).build())
                .isInstanceOf(InvalidRequest.class)
                .hasMessageContaining("clock");
        try (GatewayHome home = take()) {
            assertThat(home.storage("state.db").build().mode()).isEqualTo(StorageSettings.Mode.READ_WRITE);
            assertThat(home.agent("agents.x").value("model", "m").build().value("model"))
                    .contains("m");
            assertThat(home.agent("agents.x").build().executor())
                    .as("agents may block")
                    .isSameAs(home.threads().agents());
        }
    }
}
