package dev.parley.contracts.gateway;

import static dev.parley.contracts.gateway.Bench.ALICE;
import static dev.parley.contracts.gateway.Bench.ALICES;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.parley.application.port.GatewayEvent;
import dev.parley.application.port.Happened;
import dev.parley.application.replay.ScriptedTurn;
import dev.parley.application.settings.BusyMode;
import dev.parley.domain.turn.ChatEvent;
import dev.parley.domain.turn.Inbound;
import dev.parley.domain.turn.Turn;
import dev.parley.domain.turn.TurnReason;
import dev.parley.domain.usage.TokenUsage;
import dev.parley.testing.RecordingPlatform;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What listeners, such as metrics, are told of messages and turns. */
class ToldTurnsTest {
    private final Bench bench = new Bench();

    @Test
    void aMessageIsToldWhenItIsAdmittedClaimedAndEnded() {
        bench.script(ScriptedTurn.reply("one").spending(new TokenUsage(10, 5, 0, 0, 0)))
                .start();
        bench.say(ALICE, "a");

        assertThat(bench.events.of(GatewayEvent.Admitted.class)).singleElement().satisfies(told -> {
            assertThat(told.inbound().lane()).isEqualTo(ALICES);
            assertThat(told.inbound().state()).isEqualTo(Inbound.State.ADMITTED);
        });
        assertThat(bench.events.of(GatewayEvent.TurnClaimed.class))
                .singleElement()
                .satisfies(told -> {
                    assertThat(told.inputs()).hasSize(1);
                    assertThat(told.waited()).isEqualTo(Duration.ZERO);
                });
        assertThat(bench.events.of(GatewayEvent.TurnEnded.class))
                .singleElement()
                .satisfies(told -> {
                    assertThat(told.turn().state()).isEqualTo(Turn.State.COMPLETED);
                    assertThat(told.turn().usage().tokens().input()).isEqualTo(10);
                });
    }

    @Test
    void aMessageIsToldAsAdmittedOnceThoughItIsEditedWhileItWaits() {
        bench.with(s -> s.busy(b -> b.withMode(BusyMode.QUEUE)))
                .script(ScriptedTurn.reply("one").taking(Duration.ofMinutes(1)))
                .start();
        bench.say(ALICE, "a", "1");
        bench.say(ALICE, "b", "2");
        bench.running().happened(new Happened(ALICE, new ChatEvent.Edited("2", "b, better"), Optional.of("e")));
        bench.pass(Duration.ofMinutes(2));

        assertThat(bench.turns(ALICES)).containsExactly("a", "b, better");
        assertThat(bench.events.of(GatewayEvent.Admitted.class)).hasSize(2);
    }

    @Test
    void aMessageThatASteeredTurnDidNotReadIsToldAsAdmittedOnce() {
        bench.script(ScriptedTurn.reply("one").taking(Duration.ofMinutes(1))).start();
        bench.say(ALICE, "a");
        bench.say(ALICE, "/steer b");
        bench.pass(Duration.ofMinutes(2));

        assertThat(bench.turns(ALICES)).containsExactly("a", "b");
        assertThat(bench.events.of(GatewayEvent.Admitted.class))
                .extracting(told -> told.inbound().text())
                .containsExactly("a", "b");
    }

    @Test
    void aCommandIsToldOnceItIsStoredUnderItsOwnNameAndWithoutWhatPeopleWrote() {
        bench.start();
        bench.say(ALICE, "a");
        bench.say(ALICE, "/title Bridges");
        bench.say(ALICE, "/reset");
        bench.say(ALICE, "/nonesuch");

        assertThat(bench.events.of(GatewayEvent.CommandRun.class))
                .extracting(GatewayEvent.CommandRun::lane, GatewayEvent.CommandRun::name)
                .containsExactly(tuple(ALICES, "title"), tuple(ALICES, "new"));
        assertThat(bench.events.of(GatewayEvent.CommandRun.class))
                .allSatisfy(told -> assertThat(told.changes()).isPositive());
    }

    @Test
    void aCommandThatAsksForASummaryIsToldOnceThatIsThere() {
        bench.start();
        bench.say(ALICE, "a");
        bench.say(ALICE, "b");
        bench.say(ALICE, "/compress");
        bench.pass(Duration.ofMinutes(1));

        assertThat(bench.events.of(GatewayEvent.CommandRun.class))
                .extracting(GatewayEvent.CommandRun::name)
                .containsExactly("compress");
    }

    @Test
    void aStartIsToldOnceMessagesAreTaken() {
        bench.start();

        assertThat(bench.events.of(GatewayEvent.Started.class))
                .singleElement()
                .satisfies(told -> assertThat(told.cutOff()).isZero());
    }

    @Test
    void aTurnThatACrashCutOffIsToldAsEndedByTheStartBehindIt() {
        bench.script(ScriptedTurn.reply("one").taking(Duration.ofMinutes(1))).start();
        bench.say(ALICE, "a");
        bench.crash();
        bench.events.clear();

        bench.start();

        assertThat(bench.events.of(GatewayEvent.TurnEnded.class)).first().satisfies(told -> {
            assertThat(told.turn().state()).isEqualTo(Turn.State.INTERRUPTED);
            assertThat(told.turn().reason()).contains(TurnReason.CRASH);
        });
    }

    @Test
    void aToolIsToldWithTheTimeItTook() {
        bench.script(ScriptedTurn.reply("one")
                        .using(new ScriptedTurn.ToolUse("weather", "{}", "sunny"))
                        .taking(Duration.ofSeconds(4)))
                .start();
        bench.say(ALICE, "a");
        bench.pass(Duration.ofSeconds(4));

        assertThat(bench.events.of(GatewayEvent.ToolAnswered.class))
                .singleElement()
                .satisfies(told -> {
                    assertThat(told.tool()).isEqualTo("weather");
                    assertThat(told.calledAt()).isPresent();
                    assertThat(told.calledAt().orElseThrow()).isBeforeOrEqualTo(told.answeredAt());
                });
    }

    @Test
    void anAttemptToDeliverThatFailsIsToldWithAWord() {
        bench.start();
        bench.telegram.behave(RecordingPlatform.Behaviour.FAIL);
        bench.say(ALICE, "a");
        bench.telegram.behave(RecordingPlatform.Behaviour.REFUSE);
        bench.pass(Duration.ofMinutes(5));

        assertThat(bench.events.of(GatewayEvent.SendFailed.class))
                .extracting(GatewayEvent.SendFailed::why)
                .startsWith("away")
                .endsWith("rejected");
    }

    @Test
    void everyBatchIsToldWithWhatBecameOfIt() {
        bench.start();
        bench.say(ALICE, "a");

        assertThat(bench.events.of(GatewayEvent.Committed.class))
                .hasSizeGreaterThanOrEqualTo(3)
                .allSatisfy(told -> {
                    assertThat(told.outcome()).isEqualTo(GatewayEvent.Committed.Outcome.COMMITTED);
                    assertThat(told.changes()).isPositive();
                });
    }

    @Test
    void theGatewaysDeskAnswersWhileItRuns() {
        bench.start();
        var answer = bench.running().alive().toCompletableFuture();
        bench.settle();

        assertThat(answer).isCompleted();
    }
}
