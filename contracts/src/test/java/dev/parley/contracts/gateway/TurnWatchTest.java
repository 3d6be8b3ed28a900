package dev.parley.contracts.gateway;

import static dev.parley.contracts.gateway.Bench.ALICE;
import static dev.parley.contracts.gateway.Bench.ALICES;
import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.application.port.AgentQuestion;
import dev.parley.application.replay.ScriptedTurn;
import dev.parley.application.replay.ScriptedTurn.Outcome;
import dev.parley.application.replay.ScriptedTurn.ToolUse;
import dev.parley.domain.turn.Outgoing;
import java.time.Duration;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What people are told of a turn that takes long (gateway_timeout_warning, gateway_notify_interval). */
class TurnWatchTest {
    private final Bench bench = new Bench();

    private static ScriptedTurn taking(long minutes) {
        return ScriptedTurn.reply("done").taking(Duration.ofMinutes(minutes));
    }

    @Test
    @DisplayName(
            "gateway_notify_interval: while a turn runs its people are told so, with what it does, at each interval")
    void progressIsToldAtEachInterval() {
        bench.with(s -> s.turns(t -> t.withProgress(Duration.ofMinutes(3))))
                .script(taking(8).using(new ToolUse("read_file", "{}", "text")))
                .start();
        bench.say(ALICE, "task");
        bench.pass(Duration.ofSeconds(179));
        assertThat(bench.seen(ALICE)).isEmpty();
        bench.pass(Duration.ofMinutes(8));

        assertThat(bench.seen(ALICE))
                .containsExactly(
                        "Still working (3 min): running read_file.", "Still working (6 min): thinking.", "done");
        assertThat(bench.telegram.delivered())
                .element(0)
                .extracting(Outgoing::kind)
                .isEqualTo(Outgoing.Kind.NOTICE);
        assertThat(bench.transcript(ALICES)).noneMatch(row -> row.contains("Still working"));
    }

    @Test
    @DisplayName("gateway_notify_interval: zero tells nothing, and an ended turn is told of no more")
    void zeroTellsNothing() {
        bench.script(taking(20)).start();
        bench.say(ALICE, "task");
        bench.pass(Duration.ofHours(1));
        assertThat(bench.seen(ALICE)).containsExactly("done");
    }

    @Test
    @DisplayName("gateway_notify_interval: what could not be told at once is not told later")
    void staleProgressIsNotTold() {
        bench.with(s -> s.turns(t -> t.withProgress(Duration.ofMinutes(3))))
                .script(taking(10))
                .start();
        bench.say(ALICE, "task");
        bench.telegram.disconnect();
        bench.pass(Duration.ofMinutes(7));
        bench.telegram.connect();
        bench.pass(Duration.ofMinutes(4));

        assertThat(bench.seen(ALICE)).containsExactly("Still working (9 min): thinking.", "done");
    }

    @Test
    @DisplayName(
            "gateway_timeout_warning: a turn that does nothing is warned of once, then ended; no progress is claimed"
                    + " between")
    void idlenessIsWarnedOfOnce() {
        bench.with(s -> s.turns(t -> t.withWarning(Duration.ofMinutes(15)))
                        .turns(t -> t.withProgress(Duration.ofMinutes(10))))
                .script(ScriptedTurn.ending(Outcome.HANG))
                .start();
        bench.say(ALICE, "task");
        bench.pass(Duration.ofMinutes(29));
        assertThat(bench.seen(ALICE))
                .containsExactly(
                        "Still working (10 min): thinking.",
                        "The agent has done nothing for 15 min. The task is stopped after 30 min without a sign of it;"
                                + " /stop ends it now.");
        bench.pass(Duration.ofMinutes(1));
        assertThat(bench.seen(ALICE)).hasSize(3).last().asString().contains("did nothing for 30 minutes");
    }

    @Test
    @DisplayName("gateway_timeout: nobody is warned of an agent that waits for an answer, and the end says that nobody"
            + " answered")
    void aQuestionThatNobodyAnswers() {
        bench.with(s -> s.turns(t -> t.withWarning(Duration.ofMinutes(15)))
                        .turns(t -> t.withProgress(Duration.ofMinutes(10))))
                .script(ScriptedTurn.reply("done").asking(AgentQuestion.Kind.CLARIFICATION, "Which one?"))
                .start();
        bench.say(ALICE, "task");
        bench.pass(Duration.ofMinutes(31));

        assertThat(bench.seen(ALICE))
                .containsExactly(
                        "Which one?",
                        "Still waiting for an answer (10 min).",
                        "Sorry, that did not work: Nobody answered the question for 30 minutes, so the task was stopped."
                                + " Please try again.");
    }

    @Test
    @DisplayName("gateway_timeout_warning: activity begins the time anew, and another silence is warned of again")
    void activityBeginsTheTimeAnew() {
        bench.with(s -> s.turns(t -> t.withWarning(Duration.ofMinutes(15))))
                .script(taking(50).using(new ToolUse("a", "{}", "1")))
                .start();
        bench.say(ALICE, "task");
        bench.pass(Duration.ofHours(1));

        assertThat(bench.seen(ALICE))
                .hasSize(3)
                .filteredOn(t -> t.startsWith("The agent has done nothing for 15 min"))
                .hasSize(2);
    }

    @Test
    @DisplayName("gateway_timeout_warning: there is nothing to warn of where the time-out is off or comes first")
    void noWarningWithoutATimeout() {
        bench.with(s -> s.turns(t -> t.withWarning(Duration.ofMinutes(15))).turns(t -> t.withTimeout(Duration.ZERO)))
                .script(taking(60))
                .start();
        bench.say(ALICE, "task");
        bench.pass(Duration.ofHours(1));
        assertThat(bench.seen(ALICE)).containsExactly("done");

        Bench other = new Bench();
        other.with(s -> s.turns(t -> t.withWarning(Duration.ofMinutes(15)))
                        .turns(t -> t.withTimeout(Duration.ofMinutes(15))))
                .script(ScriptedTurn.ending(Outcome.HANG))
                .start();
        other.say(ALICE, "task");
        other.pass(Duration.ofMinutes(16));
        assertThat(other.seen(ALICE)).singleElement().asString().contains("did nothing for 15 minutes");
    }

    @Test
    @DisplayName("C18: a clock that is set back delays the end of a turn that does nothing by its time-out at most")
    void aClockThatIsSetBackDelaysTheTimeOutOnce() {
        bench.script(ScriptedTurn.ending(Outcome.HANG)).start();
        bench.say(ALICE, "task");
        bench.pass(Duration.ofMinutes(10));
        bench.skew = Duration.ofDays(-1);
        bench.pass(Duration.ofMinutes(20));
        assertThat(bench.seen(ALICE)).isEmpty();
        bench.pass(Duration.ofMinutes(30));

        assertThat(bench.seen(ALICE)).singleElement().asString().contains("did nothing for 30 minutes");
    }

    @Test
    @DisplayName("C18: by a clock that was set back a turn runs for as long as its agent reports something")
    void aClockThatIsSetBackEndsNoTurnThatDoesSomething() {
        ToolUse tool = new ToolUse("a", "{}", "1");
        bench.script(taking(100).using(tool, tool, tool, tool)).start();
        bench.say(ALICE, "task");
        bench.pass(Duration.ofMinutes(10));
        bench.skew = Duration.ofDays(-1);
        bench.pass(Duration.ofMinutes(95));

        assertThat(bench.seen(ALICE)).containsExactly("done");
    }

    @Test
    @DisplayName(
            "gateway_notify_interval, gateway_timeout_warning: by a clock that was set back people are told as before")
    void peopleAreToldByAClockThatWasSetBack() {
        bench.with(s -> s.turns(t -> t.withWarning(Duration.ofMinutes(15)))
                        .turns(t -> t.withProgress(Duration.ofMinutes(10))))
                .script(ScriptedTurn.ending(Outcome.HANG))
                .start();
        bench.say(ALICE, "task");
        bench.pass(Duration.ofMinutes(9));
        bench.skew = Duration.ofDays(-1);
        bench.pass(Duration.ofMinutes(32));

        assertThat(bench.seen(ALICE)).hasSize(3);
        assertThat(bench.seen(ALICE)).element(0).asString().startsWith("Still working (");
        assertThat(bench.seen(ALICE)).element(1).asString().startsWith("The agent has done nothing for 15 min.");
        assertThat(bench.seen(ALICE)).element(2).asString().contains("did nothing for 30 minutes");
    }

    @Test
    @DisplayName("gateway_notify_interval: a stopped turn is told of no more")
    void aStoppedTurnIsToldOfNoMore() {
        bench.with(s -> s.turns(t -> t.withProgress(Duration.ofMinutes(3))))
                .script(taking(30).ignoringInterrupts())
                .start();
        bench.say(ALICE, "task");
        bench.say(ALICE, "/stop");
        bench.pass(Duration.ofMinutes(31));
        assertThat(bench.seen(ALICE)).hasSize(1);
    }
}
