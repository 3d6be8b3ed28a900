package dev.parley.contracts.gateway;

import static dev.parley.contracts.gateway.Bench.ALICE;
import static dev.parley.contracts.gateway.Bench.ALICES;
import static dev.parley.contracts.gateway.Bench.BOB;
import static dev.parley.contracts.gateway.Bench.BOBS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.application.gateway.StopMode;
import dev.parley.application.port.GatewayEvent;
import dev.parley.application.port.InvalidRequest;
import dev.parley.application.replay.ScriptedTurn;
import dev.parley.domain.change.Batch;
import dev.parley.domain.change.BatchId;
import dev.parley.domain.change.Change;
import dev.parley.domain.key.SessionKey;
import dev.parley.domain.reset.ResetMode;
import dev.parley.domain.reset.ResetPolicies;
import dev.parley.domain.reset.ResetPolicy;
import dev.parley.domain.session.SessionEntry;
import dev.parley.domain.session.SessionId;
import dev.parley.domain.source.SessionSource;
import dev.parley.domain.usage.Billing;
import dev.parley.domain.usage.TokenUsage;
import dev.parley.domain.usage.UsageUpdate;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Resets as people and policies want them, looking, and what an operator may do. */
class OperatingTest {
    private static final Duration LONG = Duration.ofMinutes(5);

    private final Bench bench = new Bench();

    private static ScriptedTurn spending(String reply) {
        return ScriptedTurn.reply(reply).spending(new TokenUsage(10, 5, 0, 0, 0));
    }

    @Test
    @DisplayName("G3.4, G3.7, C5, R6.15: an idle session is reset, agent and user are told, the old one stays")
    void anIdleSessionIsReset() {
        bench.script(spending("one")).start();
        bench.say(ALICE, "a");
        SessionId old = bench.entry(ALICES).sessionId();
        bench.pass(Duration.ofHours(25));
        bench.say(ALICE, "b");

        assertThat(bench.decisions(ALICES)).containsExactly("create S1", "reset S2");
        assertThat(bench.notes(ALICES)).containsExactly("auto-reset");
        assertThat(bench.seen(ALICE)).hasSize(3).element(1).asString().contains("inactive for 24h");
        assertThat(bench.transcript(old)).containsExactly("user: a", "assistant: one");
        assertThat(bench.memory.sessions().find(old).orElseThrow().endedBy("session_reset"))
                .isTrue();
        bench.say(ALICE, "c");
        assertThat(bench.notes(ALICES)).isEmpty();
        assertThat(bench.decisions(ALICES)).endsWith("reuse S2");
    }

    @Test
    @DisplayName("C5, R6.15: without activity nobody is told of a reset")
    void aResetWithoutActivityIsSilent() {
        bench.start();
        bench.say(ALICE, "a");
        bench.pass(Duration.ofHours(25));
        bench.say(ALICE, "b");

        assertThat(bench.decisions(ALICES)).containsExactly("create S1", "reset S2");
        assertThat(bench.seen(ALICE)).hasSize(2);
    }

    @Test
    @DisplayName("Z12.14: /status says of a session that its policy ends that the next message begins another, and why")
    void statusOfAnExpiredSession() {
        bench.start();
        bench.say(ALICE, "a");
        bench.say(ALICE, "/status");
        assertThat(bench.seen(ALICE)).last().asString().doesNotContain("fresh session");
        bench.pass(Duration.ofHours(25));
        bench.say(ALICE, "/status");

        assertThat(bench.seen(ALICE))
                .last()
                .asString()
                .contains("Expired: the next message begins a fresh session, because nothing was said for too long.");
    }

    @Test
    @DisplayName(
            "Z12.14: /status shows no counts that cannot be true, as homes of before they were checked may hold them")
    void statusOfCountsThatCannotBe() {
        bench.agents.withContextLength(8_000);
        bench.start();
        bench.say(ALICE, "a");
        bench.say(ALICE, "/status");
        assertThat(bench.seen(ALICE)).last().asString().contains("Context: 0 of 8000 tokens (0 %)");
        SessionEntry entry = bench.memory.lanes().find(ALICES).orElseThrow().entry();
        TokenUsage tokens = new TokenUsage(Long.MAX_VALUE - 9, 5, 0, 0, 0);
        bench.crash();
        bench.memory
                .ledger()
                .commit(new Batch(
                        new BatchId("before", 1),
                        List.of(),
                        List.of(
                                new Change.AddUsage(
                                        entry.sessionId(),
                                        new UsageUpdate(tokens, 1, Optional.empty(), Billing.NONE, false)),
                                new Change.TouchLane(
                                        entry.key(),
                                        entry.sessionId(),
                                        bench.clock.instant(),
                                        tokens,
                                        0.0,
                                        Optional.of(Long.MAX_VALUE),
                                        Optional.empty()))));
        bench.start();
        bench.say(ALICE, "/status");

        assertThat(bench.seen(ALICE))
                .last()
                .asString()
                .contains("Session: " + entry.sessionId())
                .doesNotContain("Context:")
                .doesNotContain("9223");
    }

    @Test
    @DisplayName("14.15, D3: an expired and finalised session with a kept agent still resets")
    void aFinalisedSessionStillResets() {
        bench.script(spending("one")).start();
        bench.say(ALICE, "a");
        bench.pass(Duration.ofHours(25));
        assertThat(bench.events.of(GatewayEvent.Finalized.class)).hasSize(1);
        assertThat(bench.entry(ALICES).expiryFinalized()).isTrue();
        bench.say(ALICE, "b");

        assertThat(bench.decisions(ALICES)).containsExactly("create S1", "reset S2");
        assertThat(bench.entry(ALICES).expiryFinalized()).isFalse();
    }

    @Test
    @DisplayName("R6.9: a background process keeps the session alive")
    void aProcessKeepsTheSession() {
        bench.start();
        bench.say(ALICE, "a");
        bench.pass(Duration.ofHours(20));
        bench.activity.set(ALICES, List.of(bench.clock.instant()));
        bench.pass(Duration.ofHours(10));
        bench.say(ALICE, "b");

        assertThat(bench.decisions(ALICES)).containsExactly("create S1", "reuse S1");
    }

    @Test
    @DisplayName("R6.9: a running turn keeps its session over the daily boundary")
    void aRunningTurnKeepsTheSession() {
        bench.script(ScriptedTurn.reply("done").taking(Duration.ofHours(30)))
                .with(s -> s.turns(t -> t.withTimeout(Duration.ZERO)))
                .start();
        bench.say(ALICE, "a");
        bench.pass(Duration.ofHours(29));

        assertThat(bench.events.of(GatewayEvent.Finalized.class)).isEmpty();
        bench.pass(Duration.ofHours(2));
        assertThat(bench.transcript(ALICES)).containsExactly("user: a", "assistant: done");
    }

    @Test
    @DisplayName("D5: a pruned lane does not come back")
    void aPrunedLaneStaysPruned() {
        bench.with(s -> s.retention(r -> r.withLanes(Duration.ofDays(2)))
                        .withResetPolicies(ResetPolicies.of(ResetPolicy.DEFAULT.withMode(ResetMode.NONE))))
                .start();
        bench.say(ALICE, "a");
        bench.pass(Duration.ofDays(3));
        assertThat(bench.memory.lanes().find(ALICES)).isEmpty();
        bench.say(ALICE, "b");

        assertThat(bench.decisions(ALICES)).containsExactly("create S1", "create S2");
    }

    @Test
    @DisplayName("G3.16: a lane whose entry was lost finds its session again")
    void aLostEntryIsRecovered() {
        bench.start();
        bench.say(ALICE, "a");
        bench.memory
                .ledger()
                .commit(new dev.parley.domain.change.Batch(
                        new dev.parley.domain.change.BatchId("test", 1),
                        List.of(),
                        List.of(new dev.parley.domain.change.Change.RemoveLane(ALICES))));
        bench.say(ALICE, "b");

        assertThat(bench.decisions(ALICES)).containsExactly("create S1", "reuse S1");
        assertThat(bench.transitions(ALICES)).endsWith("switched recovered");
    }

    @Test
    @DisplayName("Z12.1: /new takes a title; a taken one is refused and the session begins all the same")
    void newTakesATitle() {
        bench.start();
        bench.say(ALICE, "a");
        bench.say(ALICE, "/new My Title");
        assertThat(title()).isEqualTo("My Title");
        bench.say(ALICE, "/reset My Title");
        assertThat(title()).isEmpty();
        assertThat(bench.seen(ALICE)).last().asString().contains("already in use");
        assertThat(bench.transitions(ALICES)).containsExactly("created first_message", "renewed new", "renewed new");
    }

    private String title() {
        return bench.memory
                .sessions()
                .find(bench.entry(ALICES).sessionId())
                .orElseThrow()
                .title()
                .orElse("");
    }

    @Test
    @DisplayName("Z12.1: where it is wanted, /new asks first while idle and never while busy (Q8.32)")
    void newAsksWhereWanted() {
        bench.with(s -> s.chat(c -> c.withConfirmDestructive(true)))
                .script(ScriptedTurn.echo(), ScriptedTurn.echo().taking(LONG))
                .start();
        bench.say(ALICE, "a");
        bench.say(ALICE, "/new");
        assertThat(bench.transitions(ALICES)).containsExactly("created first_message");
        bench.say(ALICE, "/new yes");
        assertThat(bench.transitions(ALICES)).hasSize(2);
        bench.say(ALICE, "b");
        bench.say(ALICE, "/new");
        assertThat(bench.transitions(ALICES)).hasSize(3);
    }

    @Test
    @DisplayName("Q8.29, Z12.14: /status works while busy and changes nothing")
    void statusOnlyLooks() {
        bench.script(ScriptedTurn.reply("x").taking(LONG)).start();
        bench.say(ALICE, "a");
        bench.say(ALICE, "/queue b");
        Instant before = bench.entry(ALICES).updatedAt();
        bench.pass(Duration.ofSeconds(5));
        bench.say(ALICE, "/status");

        assertThat(bench.seen(ALICE).get(1))
                .contains("Session: " + bench.entry(ALICES).sessionId())
                .contains("Agent running: yes")
                .contains("Queue: 1")
                .contains("Platforms: slack, telegram");
        assertThat(bench.entry(ALICES).updatedAt()).isEqualTo(before);
        bench.say(BOB, "/status");
        assertThat(bench.seen(BOB)).singleElement().asString().startsWith("No session yet");
        assertThat(bench.memory.lanes().find(BOBS)).isEmpty();
    }

    @Test
    @DisplayName("/why tells in words how the conversation came to its session")
    void whyTellsInWords() {
        bench.script(spending("one")).start();
        bench.say(ALICE, "a");
        bench.pass(Duration.ofHours(25));
        bench.say(ALICE, "b");
        bench.say(ALICE, "/why");

        assertThat(bench.seen(ALICE))
                .last()
                .asString()
                .contains("inactive for longer than 24h")
                .contains("policy session_reset");
    }

    @Test
    @DisplayName("Q8.2: a command may be addressed to the bot, in any case")
    void commandsMayNameTheBot() {
        bench.start();
        bench.say(ALICE, "a");
        bench.say(ALICE, "/NEW@parley_bot");

        assertThat(bench.transitions(ALICES)).endsWith("renewed new");
    }

    @Test
    @DisplayName("P7.48: an admin restarts the gateway and is told when it is back; others may not")
    void restartByAnAdmin() {
        bench.start();
        bench.say(ALICE, "a");
        bench.say(BOB, "/restart");
        assertThat(bench.seen(BOB)).containsExactly("Only an admin may restart the gateway.");
        bench.say(ALICE, "/restart", "r1");
        CompletableFuture<?> stopped = bench.running().whenStopped().toCompletableFuture();
        assertThat(stopped).isDone();
        bench.crash().start();
        assertThat(bench.seen(ALICE)).endsWith("The gateway is restarting.", "The gateway is back.");
        bench.say(ALICE, "/restart", "r1");
        assertThat(bench.running().whenStopped().toCompletableFuture()).isNotDone();
        bench.crash().start();
        assertThat(bench.seen(ALICE)).endsWith("The gateway is restarting.", "The gateway is back.");
    }

    @Test
    @DisplayName("X9.4: in a shared session each message names its sender, and the prompt names none")
    void sharedSessionsNameTheSender() {
        SessionSource carol = Bench.inThread("-9", "5", "3", "Carol");
        SessionKey key = bench.rules().keyOf(carol);
        bench.start();
        bench.say(carol, "hello");

        assertThat(bench.transcript(key)).startsWith("user: [Carol] hello");
        assertThat(bench.agents.turns().get(0).prompt())
                .contains("Multi-user thread")
                .doesNotContain("**User:**");
    }

    @Test
    @DisplayName("A11.1, A11.9: the agent is kept between turns and replaced after an interrupt and after /new")
    void agentsAreKept() {
        bench.script(
                        ScriptedTurn.echo(),
                        ScriptedTurn.echo(),
                        ScriptedTurn.echo().taking(LONG))
                .start();
        bench.say(ALICE, "a");
        bench.say(ALICE, "b");
        assertThat(bench.agents.created()).hasSize(1);
        bench.say(ALICE, "c");
        bench.say(ALICE, "interrupting");
        assertThat(bench.agents.created()).hasSize(2);
        bench.say(ALICE, "/new");
        bench.say(ALICE, "d");
        assertThat(bench.agents.created()).hasSize(3);
        assertThat(bench.agents.closed()).isEqualTo(1);
    }

    @Test
    @DisplayName("Hooks are told of begun, reset and finished sessions")
    void hooksAreTold() {
        bench.start();
        bench.say(ALICE, "a");
        bench.say(ALICE, "/new");
        bench.say(ALICE, "b");

        SessionId next = bench.entry(ALICES).sessionId();
        assertThat(bench.hooks.calls())
                .element(1, Assertions.as(org.assertj.core.api.InstanceOfAssertFactories.STRING))
                .startsWith("finalized ")
                .endsWith(" new");
        assertThat(bench.hooks.calls()).contains("reset " + next).endsWith("started " + next);
    }

    @Test
    @DisplayName("An operator looks at lanes, resets, suspends and interrupts them")
    void anOperatorMayAct() {
        bench.script(ScriptedTurn.reply("x").taking(LONG).on(ALICES)).start();
        bench.say(ALICE, "a");
        bench.say(BOB, "b");

        assertThat(bench.running().lanes()).extracting(l -> l.lane().key()).containsExactly(ALICES, BOBS);
        assertThat(bench.running().lane(ALICES).orElseThrow().running()).isTrue();
        assertThat(bench.running().lane(BOBS).orElseThrow().running()).isFalse();
        assertThat(bench.running().health().rows())
                .containsEntry("status", "ok")
                .containsEntry("running", "1");
        assertThat(bench.operate(g -> g.interruptLane(ALICES))).isTrue();
        assertThat(bench.seen(ALICE)).containsExactly("Interrupted.");
        assertThat(bench.operate(g -> g.resetLane(BOBS))).isTrue();
        assertThat(bench.transitions(BOBS)).endsWith("renewed operator");
        assertThat(bench.operate(g -> g.suspendLane(BOBS))).isTrue();
        assertThat(bench.entry(BOBS).isSuspended()).isTrue();
        assertThat(bench.operate(g -> g.resetLane(SessionKey.of("agent:main:telegram:dm:99"))))
                .isFalse();
    }

    @Test
    @DisplayName("A gateway says what it needs")
    void aGatewaySaysWhatItNeeds() {
        Assertions.assertThatThrownBy(
                        () -> dev.parley.application.gateway.Gateway.builder().build())
                .isInstanceOf(InvalidRequest.class)
                .hasMessageContaining("needs storage");
    }

    @Test
    @DisplayName("P7.36: a stopped gateway has stopped its platforms and takes nothing any more")
    void aStoppedGatewayTakesNothing() {
        bench.start();
        bench.halt(StopMode.SHUTDOWN);

        assertThat(bench.telegram.isStarted()).isFalse();
        assertThat(bench.say(ALICE, "a")).isInstanceOf(dev.parley.application.port.Receipt.Unavailable.class);
    }
}
