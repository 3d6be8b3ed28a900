package dev.parley.contracts.gateway;

import static dev.parley.contracts.gateway.Bench.ALICE;
import static dev.parley.contracts.gateway.Bench.ALICES;
import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.application.replay.ScriptedTurn;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The words that begin a conversation anew, as {@code reset_triggers} names them. */
class ResetTriggersTest {
    private final Bench bench = new Bench();

    @Test
    @DisplayName("reset_triggers: unless configured otherwise they are /new and /reset")
    void theDefaultsAreNewAndReset() {
        bench.start();
        bench.say(ALICE, "a");
        bench.say(ALICE, "/new");
        bench.say(ALICE, "/reset");
        assertThat(bench.transitions(ALICES)).containsExactly("created first_message", "renewed new", "renewed new");
    }

    @Test
    @DisplayName(
            "reset_triggers: configured commands and words begin a new session, in any case, and replace the defaults")
    void configuredTriggersReplaceTheDefaults() {
        bench.with(s -> s.chat(c -> c.withResetTriggers(List.of("start over", "/Clear"))))
                .start();
        bench.say(ALICE, "a");
        bench.say(ALICE, "/clear Spring");
        assertThat(title()).isEqualTo("Spring");
        bench.say(ALICE, "b");
        bench.say(ALICE, "  Start   OVER ");
        assertThat(bench.transitions(ALICES)).containsExactly("created first_message", "renewed new", "renewed new");
        bench.say(ALICE, "please start over with it");
        assertThat(bench.turns(ALICES)).containsExactly("a", "b", "please start over with it");
        bench.say(ALICE, "/new");
        assertThat(bench.seen(ALICE)).last().asString().startsWith("Unknown command /new");
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
    @DisplayName("reset_triggers, Q8.31: a trigger takes effect while the agent runs")
    void aTriggerWorksWhileBusy() {
        bench.with(s -> s.chat(c -> c.withResetTriggers(List.of("/new", "forget it"))))
                .script(ScriptedTurn.reply("late").taking(Duration.ofMinutes(5)))
                .start();
        bench.say(ALICE, "task");
        bench.say(ALICE, "Forget it");
        bench.pass(Duration.ofMinutes(6));
        assertThat(bench.transitions(ALICES)).endsWith("renewed new");
        assertThat(bench.seen(ALICE)).noneMatch("late"::equals);
    }

    @Test
    @DisplayName("reset_triggers, Z12.1: words are asked about like the command, and a yes behind them goes ahead")
    void wordsAreAskedAbout() {
        bench.with(s -> s.chat(c -> c.withResetTriggers(List.of("start over")))
                        .chat(c -> c.withConfirmDestructive(true)))
                .start();
        bench.say(ALICE, "a");
        bench.say(ALICE, "start over");
        assertThat(bench.seen(ALICE)).last().asString().contains("Send start over yes to go ahead");
        bench.say(ALICE, "start over yes");
        assertThat(bench.transitions(ALICES)).endsWith("renewed new");
    }

    @Test
    @DisplayName("reset_triggers: with none nothing said begins a new session")
    void withNoneNothingDoes() {
        bench.with(s -> s.chat(c -> c.withResetTriggers(List.of()))).start();
        bench.say(ALICE, "a");
        bench.say(ALICE, "/reset");
        assertThat(bench.transitions(ALICES)).containsExactly("created first_message");
    }
}
