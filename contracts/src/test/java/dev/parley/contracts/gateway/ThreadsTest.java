package dev.parley.contracts.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.application.agents.BlockingAgents;
import dev.parley.application.gateway.ExitStatus;
import dev.parley.application.gateway.Gateway;
import dev.parley.application.gateway.ScheduledTimers;
import dev.parley.application.gateway.StopMode;
import dev.parley.application.port.AgentAnswer;
import dev.parley.application.port.AnswerListener;
import dev.parley.application.port.GatewayEvent;
import dev.parley.application.port.GatewayEvents;
import dev.parley.application.port.Receipt;
import dev.parley.application.port.Received;
import dev.parley.application.port.Timers;
import dev.parley.application.replay.ScriptedAgents;
import dev.parley.application.replay.SeededIds;
import dev.parley.application.settings.BusyMode;
import dev.parley.application.settings.GatewaySettings;
import dev.parley.domain.key.SessionKey;
import dev.parley.domain.session.Lane;
import dev.parley.domain.source.Platform;
import dev.parley.domain.source.SessionSource;
import dev.parley.domain.transcript.Role;
import dev.parley.domain.turn.Outgoing;
import dev.parley.testing.MemoryMarkers;
import dev.parley.testing.RecordingEvents;
import dev.parley.testing.RecordingPlatform;
import dev.parley.testing.memory.MemoryStorage;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** A gateway on real threads. */
class ThreadsTest {
    private static final int LANES = 50;
    private static final int MESSAGES = 40;

    private final ExecutorService executor = Executors.newFixedThreadPool(8);
    private final ScheduledExecutorService scheduler = Executors.newScheduledThreadPool(1);
    private final MemoryStorage storage = new MemoryStorage();
    private final RecordingPlatform telegram = new RecordingPlatform(Platform.TELEGRAM);
    private final RecordingEvents events = new RecordingEvents();

    @AfterEach
    void end() {
        scheduler.shutdownNow();
        executor.shutdownNow();
    }

    private Timers timers() {
        return (delay, task) -> {
            ScheduledFuture<?> due =
                    scheduler.schedule(() -> executor.execute(task), delay.toNanos(), TimeUnit.NANOSECONDS);
            return () -> due.cancel(false);
        };
    }

    @Test
    @DisplayName("agents that block all threads of the gateway are told and shown, and so is that they let go")
    void agentsThatTakeAllThreadsAreTold() throws Exception {
        ScheduledExecutorService one = Executors.newScheduledThreadPool(1);
        CountDownLatch entered = new CountDownLatch(1);
        CountDownLatch released = new CountDownLatch(1);
        CompletableFuture<String> starved = new CompletableFuture<>();
        CompletableFuture<String> again = new CompletableFuture<>();
        GatewayEvents listener = GatewayEvents.prompt(event -> {
            if (event instanceof GatewayEvent.Trouble trouble) {
                (trouble.what().contains("runs tasks again") ? again : starved).complete(trouble.what());
            }
        });
        Gateway gateway = Gateway.builder()
                .storage(storage)
                .agents(new BlockingAgents(
                        "blocking",
                        one,
                        Clock.systemUTC(),
                        turn -> {
                            entered.countDown();
                            released.await();
                            return AgentAnswer.text("done");
                        },
                        (history, focus) -> ""))
                .platform(telegram)
                .clock(Clock.systemUTC())
                .timers(new ScheduledTimers(one, one))
                .ids(new SeededIds(1))
                .executor(one)
                .events(listener)
                .settings(GatewaySettings.DEFAULT.operation(o -> o.withStarvedAfter(Duration.ofMillis(50))))
                .build();
        try {
            gateway.start().toCompletableFuture().get(10, TimeUnit.SECONDS);
            var unused = gateway.receive(
                    new Received(
                            SessionSource.builder(Platform.TELEGRAM, "c")
                                    .userId("u")
                                    .build(),
                            "hello",
                            List.of(),
                            Optional.empty()),
                    AnswerListener.NONE);
            entered.await();
            awaitStatus(gateway, "starved");
            assertThat(gateway.health().rows()).containsKeys("starved_since", "starved_because");
            assertThat(starved.get(30, TimeUnit.SECONDS)).contains("has run no task for");
            released.countDown();
            awaitStatus(gateway, "ok");
            assertThat(again.get(30, TimeUnit.SECONDS)).contains("runs tasks again");
            gateway.stop(StopMode.SHUTDOWN).toCompletableFuture().get(60, TimeUnit.SECONDS);
        } finally {
            released.countDown();
            one.shutdownNow();
        }
    }

    private static void awaitStatus(Gateway gateway, String status) {
        long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        while (!status.equals(gateway.health().rows().get("status"))) {
            assertThat(System.nanoTime()).as("is %s within 60 seconds", status).isLessThan(until);
            Thread.onSpinWait();
        }
    }

    @Test
    @DisplayName("fifty lanes talk at once without an error, a lost message or one out of order")
    void fiftyLanesTalkAtOnce() throws ExecutionException, InterruptedException, TimeoutException {
        Gateway gateway = Gateway.builder()
                .storage(storage)
                .agents(new ScriptedAgents(Clock.systemUTC(), timers()))
                .platform(telegram)
                .clock(Clock.systemUTC())
                .timers(timers())
                .ids(new SeededIds(1))
                .executor(executor)
                .markers(new MemoryMarkers())
                .events(events)
                .settings(GatewaySettings.DEFAULT
                        .busy(b -> b.withMode(BusyMode.QUEUE))
                        .busy(b -> b.withMaxPending(1000)))
                .build();
        gateway.start().toCompletableFuture().get(10, TimeUnit.SECONDS);
        List<CompletableFuture<Receipt>> receipts = new ArrayList<>();
        for (int m = 0; m < MESSAGES; m++) {
            for (int l = 0; l < LANES; l++) {
                SessionSource source = SessionSource.builder(Platform.TELEGRAM, "c" + l)
                        .userId("u" + l)
                        .build();
                String text = (m % 3 == 0 ? "/queue " : "") + "<" + m + ">";
                receipts.add(gateway.receive(
                                new Received(source, text, List.of(), Optional.of("m" + m)), AnswerListener.NONE)
                        .toCompletableFuture());
            }
        }
        CompletableFuture.allOf(receipts.toArray(CompletableFuture[]::new)).get(60, TimeUnit.SECONDS);
        assertThat(receipts).allMatch(r -> r.join() instanceof Receipt.Admitted);
        long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        while (!storage.queue().admitted().isEmpty()
                || !storage.queue().claimed().isEmpty()) {
            assertThat(System.nanoTime()).as("all run within 60 seconds").isLessThan(until);
            Thread.onSpinWait();
        }
        ExitStatus exit = gateway.stop(StopMode.SHUTDOWN).toCompletableFuture().get(60, TimeUnit.SECONDS);

        assertThat(exit).isEqualTo(new ExitStatus(StopMode.SHUTDOWN, false));
        assertThat(events.of(GatewayEvent.Trouble.class)).isEmpty();
        assertThat(storage.queue().undelivered()).isEmpty();
        for (int l = 0; l < LANES; l++) {
            Lane lane = storage.lanes()
                    .find(SessionKey.of("agent:main:telegram:dm:c" + l))
                    .orElseThrow();
            List<Integer> plain = new ArrayList<>();
            List<Integer> queued = new ArrayList<>();
            storage.transcripts().load(lane.entry().sessionId()).stream()
                    .filter(m -> m.message().role().equals(Role.USER))
                    .flatMap(m -> m.message().content().plainText().lines())
                    .map(line -> Integer.valueOf(line.substring(1, line.length() - 1)))
                    .forEach(n -> (n % 3 == 0 ? queued : plain).add(n));
            assertThat(plain).isSorted().doesNotHaveDuplicates();
            assertThat(queued).isSorted().doesNotHaveDuplicates();
            assertThat(plain.size() + queued.size()).isEqualTo(MESSAGES);
        }
        long replies = telegram.delivered().stream()
                .filter(o -> o.kind() == Outgoing.Kind.REPLY)
                .map(Outgoing::id)
                .distinct()
                .count();
        assertThat(replies)
                .isEqualTo(telegram.delivered().stream()
                        .filter(o -> o.kind() == Outgoing.Kind.REPLY)
                        .count());
    }

    @Test
    @DisplayName("P7.36, D14: a stop under load ends, and what was not run is kept")
    void aStopUnderLoadKeepsTheRest() throws ExecutionException, InterruptedException, TimeoutException {
        Gateway gateway = Gateway.builder()
                .storage(storage)
                .agents(new ScriptedAgents(Clock.systemUTC(), timers()))
                .platform(telegram)
                .clock(Clock.systemUTC())
                .timers(timers())
                .ids(new SeededIds(2))
                .executor(executor)
                .markers(new MemoryMarkers())
                .events(events)
                .settings(GatewaySettings.DEFAULT.turns(t -> t.withDrain(Duration.ofSeconds(30))))
                .build();
        gateway.start().toCompletableFuture().get(10, TimeUnit.SECONDS);
        List<CompletableFuture<Receipt>> receipts = new ArrayList<>();
        for (int m = 0; m < MESSAGES; m++) {
            for (int l = 0; l < LANES; l++) {
                SessionSource source = SessionSource.builder(Platform.TELEGRAM, "c" + l)
                        .userId("u" + l)
                        .build();
                receipts.add(gateway.receive(
                                new Received(source, "/queue " + m, List.of(), Optional.of("m" + m)),
                                AnswerListener.NONE)
                        .toCompletableFuture());
            }
            if (m == MESSAGES / 2) {
                CompletableFuture<ExitStatus> exit =
                        gateway.stop(StopMode.RESTART).toCompletableFuture();
                assertThat(exit).isNotNull();
            }
        }
        ExitStatus exit = gateway.whenStopped().toCompletableFuture().get(60, TimeUnit.SECONDS);
        CompletableFuture.allOf(receipts.toArray(CompletableFuture[]::new)).get(60, TimeUnit.SECONDS);

        assertThat(exit.timedOut()).isFalse();
        assertThat(storage.queue().claimed()).isEmpty();
        long admitted = receipts.stream()
                .filter(r -> r.join() instanceof Receipt.Admitted)
                .count();
        List<String> ran = new ArrayList<>();
        storage.transcripts().forEach(m -> {
            if (m.message().role().equals(Role.USER)) {
                ran.add(m.session() + m.message().content().plainText());
            }
        });
        assertThat(ran).doesNotHaveDuplicates();
        assertThat(ran.size() + storage.queue().admitted().size()).isEqualTo((int) admitted);
    }
}
