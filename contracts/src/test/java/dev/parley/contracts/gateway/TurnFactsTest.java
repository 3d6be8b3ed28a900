package dev.parley.contracts.gateway;

import static dev.parley.contracts.gateway.Bench.ALICE;
import static dev.parley.contracts.gateway.Bench.ALICES;
import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.application.port.ChatPlatform.Traits;
import dev.parley.application.port.GatewayEvent;
import dev.parley.application.port.Receipt;
import dev.parley.application.replay.ScriptedTurn;
import dev.parley.application.replay.ScriptedTurn.ToolUse;
import dev.parley.domain.source.Platform;
import dev.parley.domain.turn.Outgoing;
import dev.parley.domain.turn.Turn;
import dev.parley.testing.RecordingPlatform;
import dev.parley.testing.RecordingPlatform.Behaviour;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is kept of a turn and of its answer beside the words, and what it costs. */
class TurnFactsTest {
    private final Bench bench = new Bench();

    private Turn onlyTurn() {
        return bench.events.of(GatewayEvent.TurnEnded.class).stream()
                .map(GatewayEvent.TurnEnded::turn)
                .reduce((first, second) -> second)
                .orElseThrow();
    }

    @Test
    void aTurnKeepsWhenItsAgentBeganWhenItsFirstWordCameAndHowManyToolsItCalled() {
        bench.script(ScriptedTurn.reply("done")
                        .taking(Duration.ofSeconds(30))
                        .using(new ToolUse("look", "{}", "a"), new ToolUse("look", "{}", "b")))
                .start();
        bench.say(ALICE, "go");
        bench.pass(Duration.ofSeconds(30));

        Turn turn = onlyTurn();
        assertThat(turn.workingSince()).contains(Bench.BEGIN);
        assertThat(turn.usage().firstWordAt()).contains(Bench.BEGIN.plusSeconds(30));
        assertThat(turn.usage().toolCalls()).isEqualTo(2);
    }

    @Test
    void aTurnThatWasStoppedKeepsSinceWhenItsAgentHadWorked() {
        bench.script(ScriptedTurn.reply("late").taking(Duration.ofMinutes(1))).start();
        bench.say(ALICE, "go");
        bench.pass(Duration.ofSeconds(5));
        bench.operate(g -> g.interruptLane(ALICES));
        bench.settle();

        Turn turn = onlyTurn();
        assertThat(turn.state()).isEqualTo(Turn.State.INTERRUPTED);
        assertThat(turn.workingSince()).contains(Bench.BEGIN);
        assertThat(turn.usage().firstWordAt()).isEmpty();
    }

    @Test
    void anAnswerKeepsWhatCausedIt() {
        bench.start();
        Receipt first = bench.say(ALICE, "one");
        Receipt second = bench.say(ALICE, "/status");

        assertThat(bench.telegram.delivered())
                .extracting(message -> message.cause().orElseThrow())
                .containsExactly(((Receipt.Admitted) first).id(), ((Receipt.Admitted) second).id());
    }

    @Test
    void anAttemptThatFailedIsStoredWhenItFailsWithItsTimeAndCause() {
        bench.start();
        bench.telegram.behave(Behaviour.FAIL);
        bench.say(ALICE, "one");

        Outgoing stored = bench.memory.queue().undelivered().get(0);
        assertThat(stored.state()).isEqualTo(Outgoing.State.ATTEMPTED);
        assertThat(stored.attempts()).isEqualTo(1);
        assertThat(stored.delivery().attemptedAt()).contains(Bench.BEGIN);
        assertThat(stored.delivery().failure()).contains("The platform telegram did not take the message.");
    }

    /** Admitted, claimed, ended, delivered; attempted only where the platform would show a message twice. */
    @ParameterizedTest(name = "where the platform recognises repeats: {0}")
    @CsvSource({"true, 4", "false, 5"})
    void oneMessageCostsAsManyCommitsAsItsPlatformNeeds(boolean recognisesRepeats, int commits) {
        RecordingPlatform platform =
                new RecordingPlatform(Platform.TELEGRAM, new Traits(false, false, recognisesRepeats));
        bench.dressed = unused -> platform;
        bench.start();
        bench.say(ALICE, "first");
        int before = bench.events.of(GatewayEvent.Committed.class).size();
        bench.say(ALICE, "second");

        assertThat(bench.events.of(GatewayEvent.Committed.class)).hasSize(before + commits);
        assertThat(platform.delivered()).extracting(Outgoing::text).containsExactly("first", "second");
    }
}
