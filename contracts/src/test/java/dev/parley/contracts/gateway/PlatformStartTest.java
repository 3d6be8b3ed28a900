package dev.parley.contracts.gateway;

import static dev.parley.contracts.gateway.Bench.ALICE;
import static dev.parley.contracts.gateway.Bench.ALICES;
import static dev.parley.contracts.gateway.Bench.TELEGRAM;
import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.application.gateway.StopMode;
import dev.parley.application.port.InvalidRequest;
import dev.parley.application.replay.ScriptedTurn;
import dev.parley.domain.context.HomeChannel;
import dev.parley.domain.source.Platform;
import dev.parley.domain.source.SessionSource;
import dev.parley.domain.turn.Outgoing;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionException;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Platforms that do not come up, or later than the others (P7.6, P7.24), and what the operator's chats are told. */
class PlatformStartTest {
    private static final SessionSource EVE =
            SessionSource.builder(Platform.SLACK, "7").userId("7").build();

    private final Bench bench = new Bench();

    private FailingPlatform failing(int times, RuntimeException failure) {
        FailingPlatform platform = new FailingPlatform(bench.telegram, times, failure);
        bench.dressed = real -> platform;
        return platform;
    }

    @Test
    @DisplayName(
            "P7.6: a platform that fails to start does not keep the others from running, and is started again until it"
                    + " is up")
    void aPlatformThatFailsIsStartedAgain() {
        FailingPlatform platform = failing(3, new IllegalStateException("no network"));
        bench.start();

        assertThat(bench.running().health().rows())
                .containsEntry("status", "ok")
                .containsEntry("connected", "slack");
        bench.say(EVE, "hello");
        assertThat(bench.seen(EVE)).containsExactly("hello");
        assertThat(bench.trouble())
                .singleElement()
                .extracting(t -> t.what())
                .isEqualTo("The platform telegram could not be started; trying again.");
        bench.pass(Duration.ofSeconds(5 + 10 + 20));

        assertThat(platform.starts()).isEqualTo(4);
        assertThat(bench.running().health().rows()).containsEntry("connected", "slack, telegram");
        bench.say(ALICE, "hi");
        assertThat(bench.seen(ALICE)).containsExactly("hi");
        bench.pass(Duration.ofHours(1));
        assertThat(platform.starts()).isEqualTo(4);
    }

    @Test
    @DisplayName(
            "P7.24: lanes of a platform that comes up late are resumed and what waits for it is delivered then, once")
    void lanesAreResumedWhenTheirPlatformIsUp() {
        bench.script(ScriptedTurn.reply("never").taking(Duration.ofMinutes(5)), ScriptedTurn.reply("resumed"))
                .start();
        bench.say(ALICE, "task");
        bench.crash();
        failing(1, new IllegalStateException("no network"));
        bench.start();
        assertThat(bench.turns(ALICES)).containsExactly("task");
        bench.pass(Duration.ofSeconds(5));

        assertThat(bench.turns(ALICES)).containsExactly("task", "");
        assertThat(bench.seen(ALICE)).containsExactly("resumed");
    }

    @Test
    @DisplayName("P7.6: a platform that cannot start as it is configured stops the start; nothing is left running")
    void aWronglyConfiguredPlatformStopsTheStart() {
        failing(1, new InvalidRequest("The port 80 is in use."));
        bench.start();

        Assertions.assertThatThrownBy(
                        () -> bench.running().start().toCompletableFuture().join())
                .isInstanceOf(CompletionException.class)
                .hasMessageContaining("The port 80 is in use.");
        assertThat(bench.slack.isStarted()).isFalse();
    }

    @Test
    @DisplayName("P7.36: a stopped gateway does not start its platforms again")
    void aStoppedGatewayStartsNothing() {
        FailingPlatform platform = failing(99, new IllegalStateException("no network"));
        bench.start();
        bench.halt(StopMode.SHUTDOWN);
        bench.pass(Duration.ofHours(1));

        assertThat(platform.starts()).isEqualTo(1);
    }

    @Test
    @DisplayName("Gateway.announce: every home channel is told once, as soon as its platform can send; chats are not")
    void announcementsReachTheHomeChannels() {
        bench.with(s -> s.delivery(d -> d.withHomeChannels(List.of(
                        new HomeChannel(TELEGRAM, "ops", Optional.of("Ops"), Optional.empty()),
                        new HomeChannel(Platform.SLACK, "C1", Optional.of("Ops"), Optional.of("5"))))))
                .start();
        bench.say(ALICE, "hello");
        bench.slack.disconnect();
        bench.running().announce("Storage is degraded.");
        bench.settle();

        assertThat(bench.telegram.texts("ops")).containsExactly("Storage is degraded.");
        assertThat(bench.slack.texts("C1")).isEmpty();
        bench.slack.connect();
        bench.settle();
        assertThat(bench.slack.texts("C1")).containsExactly("Storage is degraded.");
        assertThat(bench.slack.delivered())
                .element(0)
                .extracting(Outgoing::threadId)
                .isEqualTo(Optional.of("5"));
        assertThat(bench.seen(ALICE)).containsExactly("hello");
    }

    @Test
    @DisplayName("Gateway.announce: what a crash kept from being told is told after the restart")
    void announcementsOutliveACrash() {
        bench.with(s -> s.delivery(d -> d.withHomeChannels(
                        List.of(new HomeChannel(TELEGRAM, "ops", Optional.of("Ops"), Optional.empty())))))
                .start();
        bench.telegram.disconnect();
        bench.running().announce("Storage is degraded.");
        bench.settle();
        bench.crash();
        bench.telegram.connect();
        bench.start();

        assertThat(bench.telegram.texts("ops")).containsExactly("Storage is degraded.");
    }

    @Test
    @DisplayName("Gateway.announce: without home channels nothing is told")
    void withoutHomeChannelsNothingIsTold() {
        bench.start();
        bench.running().announce("Storage is degraded.");
        bench.settle();

        assertThat(bench.telegram.delivered()).isEmpty();
        assertThat(bench.memory.queue().undelivered()).isEmpty();
    }
}
