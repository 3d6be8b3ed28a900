package dev.parley.contracts.gateway;

import static dev.parley.contracts.gateway.Bench.ALICE;
import static dev.parley.contracts.gateway.Bench.BOB;
import static dev.parley.contracts.gateway.Bench.TELEGRAM;
import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.application.gateway.ExitStatus;
import dev.parley.application.gateway.StopMode;
import dev.parley.application.port.Authorization;
import dev.parley.application.port.GatewayMarkers;
import dev.parley.application.port.InboundListener;
import dev.parley.application.port.InvalidRequest;
import dev.parley.application.replay.ScriptedTurn;
import dev.parley.application.replay.SwitchableStorage.State;
import dev.parley.domain.context.HomeChannel;
import dev.parley.domain.source.SessionSource;
import dev.parley.testing.MemoryMarkers;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** A stop ends in its time, whatever the store does and however the start went. */
class StoppingTest {
    private static final SessionSource OPS =
            SessionSource.builder(TELEGRAM, "ops").userId("9").build();

    private final Bench bench = new Bench()
            .with(s -> s.delivery(d -> d.withHomeChannels(
                            List.of(new HomeChannel(TELEGRAM, "ops", Optional.empty(), Optional.empty()))))
                    .turns(t -> t.withDrain(Duration.ofSeconds(20)).withGrace(Duration.ofSeconds(5))));

    private static ScriptedTurn slow(String reply) {
        return ScriptedTurn.reply(reply).taking(Duration.ofMinutes(10));
    }

    @Test
    void aStopEndsInItsTimeThoughTheOperatorsChatsCannotBeTold() {
        bench.script(slow("never")).start();
        bench.say(ALICE, "task");
        bench.storage.become(State.UNAVAILABLE);
        CompletableFuture<ExitStatus> exit = bench.stop(StopMode.SHUTDOWN);
        bench.pass(Duration.ofSeconds(40));

        assertThat(exit).isCompletedWithValueMatching(ExitStatus::timedOut);
    }

    @Test
    void aStopBeginsThoughTheStoreKeepsSomebodyFromBeingToldHowToBeLetIn() {
        bench.authorization = new Authorization() {
            @Override
            public boolean mayTalk(SessionSource source) {
                return source.userId().filter("1"::equals).isPresent();
            }

            @Override
            public boolean isAdmin(SessionSource source) {
                return false;
            }

            @Override
            public Optional<String> invitation(SessionSource source) {
                return Optional.of("Ask my operator.");
            }
        };
        bench.start();
        bench.storage.become(State.UNAVAILABLE);
        bench.say(BOB, "may I?");
        CompletableFuture<ExitStatus> exit = bench.stop(StopMode.SHUTDOWN);
        assertThat(bench.running().health().rows()).containsEntry("status", "draining");
        bench.pass(Duration.ofSeconds(10));

        assertThat(exit).isCompletedWithValueMatching(status -> !status.timedOut());
    }

    @Test
    void theOperatorsChatsAreToldOnceWhereTheStoreComesBackDuringTheStop() {
        bench.script(slow("never")).start();
        bench.say(ALICE, "task");
        bench.storage.become(State.UNAVAILABLE);
        CompletableFuture<ExitStatus> exit = bench.stop(StopMode.SHUTDOWN);
        bench.pass(Duration.ofSeconds(3));
        bench.storage.become(State.AVAILABLE);
        bench.pass(Duration.ofSeconds(40));

        assertThat(exit).isDone();
        assertThat(bench.seen(OPS)).containsExactly("The gateway is shutting down.");
    }

    @Test
    void aStopWaitsForTheOperatorsChatsWhereNothingElseIsToBeWaitedFor() {
        bench.start();
        CompletableFuture<ExitStatus> exit = bench.stop(StopMode.SHUTDOWN);

        assertThat(exit).isDone();
        assertThat(bench.seen(OPS)).containsExactly("The gateway is shutting down.");
    }

    @Test
    void aStopAfterAFailedStartEnds() {
        bench.dressed = real -> new FailingPlatform(real, 1, new InvalidRequest("telegram.token is missing"));
        bench.start();
        assertThat(bench.running().whenStopped().toCompletableFuture())
                .as("once nothing runs")
                .isDone();
        CompletableFuture<ExitStatus> exit = bench.stop(StopMode.SHUTDOWN);

        assertThat(exit).isCompletedWithValueMatching(status -> !status.timedOut());
    }

    @Test
    void aStopThatIsAskedForWhileTheStartFailsEnds() {
        CompletableFuture<?>[] exit = new CompletableFuture<?>[1];
        bench.dressed = real -> new FailingPlatform(real, 0, new IllegalStateException()) {
            @Override
            public void start(InboundListener listener) {
                exit[0] = bench.running().stop(StopMode.RESTART).toCompletableFuture();
                throw new InvalidRequest("telegram.token is missing");
            }
        };
        bench.start();
        bench.pass(Duration.ofMinutes(1));

        assertThat(exit[0]).isDone();
        assertThat(bench.isTakingMessages()).isFalse();
    }

    @Test
    void looksWhetherTurnsAreHeldBackDoNotMultiplyWhileTheStoreIsAway() {
        AtomicInteger looks = new AtomicInteger();
        bench.marked = real -> counting(bench.markers, looks);
        Duration check = Duration.ofSeconds(10);
        bench.with(s -> s.operation(o -> o.withMaintenanceCheck(check)));
        bench.start();
        bench.markers.hold(true);
        bench.pass(check);
        bench.markers.hold(false);
        bench.storage.become(State.UNAVAILABLE);
        bench.pass(check.multipliedBy(3));
        bench.storage.become(State.AVAILABLE);
        bench.pass(check.multipliedBy(3));
        looks.set(0);
        bench.pass(check.multipliedBy(10));

        assertThat(looks).hasValue(10);
    }

    private static GatewayMarkers counting(MemoryMarkers real, AtomicInteger looks) {
        return (GatewayMarkers) Proxy.newProxyInstance(
                GatewayMarkers.class.getClassLoader(),
                new Class<?>[] {GatewayMarkers.class},
                (proxy, method, arguments) -> {
                    if (method.getName().equals("isHeld")) {
                        looks.incrementAndGet();
                    }
                    return method.invoke(real, arguments);
                });
    }
}
