package dev.parley.contracts.gateway;

import static dev.parley.contracts.gateway.Bench.ALICE;
import static dev.parley.contracts.gateway.Bench.ALICES;
import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.application.gateway.StopMode;
import dev.parley.application.port.AgentQuestion;
import dev.parley.application.port.AgentRun;
import dev.parley.application.port.AnswerListener;
import dev.parley.application.port.GatewayEvent;
import dev.parley.application.port.Received;
import dev.parley.application.replay.ScriptedTurn;
import dev.parley.application.replay.ScriptedTurn.Outcome;
import dev.parley.application.settings.BusyMode;
import dev.parley.domain.session.SessionId;
import dev.parley.domain.turn.Turn;
import dev.parley.domain.turn.TurnId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What holds of a lane's claim, its queue and its agent over a chain of turns (Q8.3 to Q8.8, Q8.19 to Q8.26, A11). */
class LaneRulesTest {
    private static final Duration LONG = Duration.ofMinutes(5);

    private final Bench bench = new Bench();

    private static ScriptedTurn slow(String reply) {
        return ScriptedTurn.reply(reply).taking(LONG);
    }

    @Test
    @DisplayName(
            "Q8.3: a turn that resumes interrupts nobody and is not interrupted by itself; it is no message of anybody")
    void aResumeInterruptsNobody() {
        bench.script(slow("never")).start();
        bench.say(ALICE, "task");
        bench.crash();
        bench.script(slow("resumed"));
        bench.start();
        bench.pass(LONG);

        assertThat(bench.agents.interrupts()).isEmpty();
        assertThat(bench.turns(ALICES)).containsExactly("task", "");
        assertThat(bench.seen(ALICE)).containsExactly("resumed");
    }

    @ParameterizedTest
    @EnumSource(
            value = Outcome.class,
            names = {"OK", "EMPTY", "FAIL"})
    @DisplayName("Q8.5, Q8.6: however a turn ends its claim is given up, and the next message runs")
    void theClaimIsGivenUp(Outcome outcome) {
        bench.script(ScriptedTurn.ending(outcome)).start();
        bench.say(ALICE, "one");

        assertThat(bench.memory.queue().claimed()).isEmpty();
        assertThat(bench.running().health().rows()).containsEntry("running", "0");
        bench.say(ALICE, "two");
        assertThat(bench.turns(ALICES)).containsExactly("one", "two");
    }

    @ParameterizedTest
    @ValueSource(strings = {"/queue", "/steer", "/status", "/why", "/help", "/title x", "/frobnicate", "/stop"})
    @DisplayName("Q8.5: a command that only answers leaves no claim behind")
    void aCommandLeavesNoClaim(String command) {
        bench.start();
        bench.say(ALICE, command);

        assertThat(bench.memory.queue().claimed()).isEmpty();
        assertThat(bench.running().health().rows()).containsEntry("running", "0");
        assertThat(bench.turns(ALICES)).isEmpty();
    }

    @Test
    @DisplayName(
            "Q8.8: a message that comes while the answer is being delivered is the next turn, not part of the last")
    void aMessageDuringDeliveryIsTheNextTurn() {
        bench.script(ScriptedTurn.reply("one")).start();
        List<String> states = new ArrayList<>();
        bench.say(new Received(ALICE, "a", List.of(), Optional.of("a")), new AnswerListener() {
            @Override
            public void finished(TurnId turn, String text) {
                states.add(text);
                bench.running().receive(new Received(ALICE, "b", List.of(), Optional.of("b")), AnswerListener.NONE);
            }
        });

        assertThat(states).containsExactly("one");
        assertThat(bench.agents.interrupts()).isEmpty();
        assertThat(bench.turns(ALICES)).containsExactly("a", "b");
        assertThat(bench.seen(ALICE)).containsExactly("one", "b");
    }

    @Test
    @DisplayName("Q8.19, Q8.21, Q8.25: items A, B, C run one after the other, and the depth falls to nothing")
    void theChainRunsToItsEnd() {
        bench.script(slow("x"), slow("a"), slow("b"), slow("c")).start();
        bench.say(ALICE, "task");
        bench.say(ALICE, "/queue A");
        bench.say(ALICE, "/queue B");
        bench.say(ALICE, "/queue C");
        List<Integer> depths = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            depths.add(bench.running().lane(ALICES).orElseThrow().depth());
            bench.pass(LONG);
        }

        assertThat(depths).containsExactly(3, 2, 1, 0);
        assertThat(bench.turns(ALICES)).containsExactly("task", "A", "B", "C");
        assertThat(bench.running().lane(ALICES).orElseThrow().running()).isFalse();
    }

    @Test
    @DisplayName("Q8.22: what a follow-up puts in front of queued items pushes none of them out")
    void aFollowUpPushesNothingOut() {
        bench.script(slow("x").ignoringInterrupts(), slow("f").ignoringInterrupts())
                .start();
        bench.say(ALICE, "task");
        bench.say(ALICE, "/queue A");
        bench.say(ALICE, "/queue B");
        bench.say(ALICE, "follow-up");
        bench.pass(LONG);
        bench.say(ALICE, "another");
        bench.pass(LONG);
        bench.pass(LONG);

        assertThat(bench.turns(ALICES)).containsExactly("task", "follow-up", "another", "A", "B");
    }

    @ParameterizedTest
    @ValueSource(strings = {"/new", "/reset", "/stop"})
    @DisplayName("Q8.23, D10: /new, /reset and /stop clear follow-ups and queued items alike")
    void theQueueIsCleared(String command) {
        bench.with(s -> s.busy(b -> b.withMode(BusyMode.QUEUE)))
                .script(slow("x"))
                .start();
        bench.say(ALICE, "task");
        bench.say(ALICE, "follow-up");
        bench.say(ALICE, "/queue A");
        bench.say(ALICE, command);
        bench.pass(LONG);

        assertThat(bench.turns(ALICES)).containsExactly("task");
        assertThat(bench.memory.queue().admitted()).isEmpty();
        assertThat(bench.events.of(GatewayEvent.Dropped.class)).hasSize(2);
    }

    @ParameterizedTest
    @ValueSource(strings = {"/status", "/why", "/help", "/title x", "/usage", "/compress"})
    @DisplayName("Q8.23: other commands leave the queue as it is")
    void otherCommandsKeepTheQueue(String command) {
        bench.script(slow("x")).start();
        bench.say(ALICE, "task");
        bench.say(ALICE, "/queue A");
        bench.say(ALICE, command);
        bench.pass(LONG);

        assertThat(bench.turns(ALICES)).containsExactly("task", "A");
    }

    @Test
    @DisplayName("Q8.29: /start is taken without a word, whether a turn is running or not")
    void startIsTakenWithoutAWord() {
        bench.script(slow("x")).start();
        bench.say(ALICE, "/start");
        assertThat(bench.seen(ALICE)).isEmpty();
        assertThat(bench.transitions(ALICES)).isEmpty();

        bench.say(ALICE, "task");
        bench.say(ALICE, "/start");
        bench.pass(LONG);

        assertThat(bench.seen(ALICE)).containsExactly("x");
        assertThat(bench.turns(ALICES)).containsExactly("task");
    }

    @Test
    @DisplayName("Q8.26: the reply comes before the follow-up begins, which sees it in its history")
    void theReplyComesBeforeTheFollowUp() {
        bench.script(slow("one"), ScriptedTurn.reply("two")).start();
        bench.say(ALICE, "task");
        bench.say(ALICE, "/queue next");
        bench.pass(LONG);

        assertThat(bench.seen(ALICE)).endsWith("one", "two");
        assertThat(bench.agents.turns().get(1).history())
                .extracting(m -> m.content().plainText())
                .containsExactly("task", "one");
    }

    @Test
    @DisplayName("Q8.26, D14: what waits when the gateway drains is not discarded; it runs after the restart")
    void whatWaitsOutlivesADrain() {
        bench.with(s -> s.turns(t -> t.withDrain(Duration.ofMinutes(10))))
                .script(slow("one"))
                .start();
        bench.say(ALICE, "task");
        bench.say(ALICE, "/queue next");
        bench.halt(StopMode.RESTART);
        assertThat(bench.turns(ALICES)).containsExactly("task");
        bench.crash().start();

        assertThat(bench.turns(ALICES)).containsExactly("task", "next");
    }

    @Test
    @DisplayName("Q8.34: the late answer of a run that was stopped reaches neither chat nor transcript nor usage")
    void aLateAnswerIsDiscarded() {
        bench.script(slow("late").ignoringInterrupts()).start();
        bench.say(ALICE, "task");
        Turn turn = bench.memory.queue().claimed().get(0);
        SessionId session = bench.entry(ALICES).sessionId();
        bench.say(ALICE, "/stop");
        bench.pass(LONG);

        assertThat(bench.memory.queue().turn(turn.id()).orElseThrow().state()).isEqualTo(Turn.State.DROPPED);
        assertThat(bench.transcript(session)).containsExactly("user: task");
        assertThat(bench.memory.sessions().find(session).orElseThrow().apiCalls())
                .isZero();
    }

    // ------------------------------------------------------------------ the agent

    @Test
    @DisplayName("A11.4: notes go into the input, not into the prompt, so they do not cost the agent")
    void notesDoNotCostTheAgent() {
        bench.start();
        bench.say(ALICE, "a");
        assertThat(bench.notes(ALICES)).containsExactly("first-contact");
        bench.say(ALICE, "b");

        assertThat(bench.agents.created()).hasSize(1);
        assertThat(bench.agents.turns())
                .extracting(t -> t.prompt())
                .containsOnly(bench.agents.turns().get(0).prompt());
    }

    @Test
    @DisplayName(
            "A11.10: the time of inactivity begins anew with each turn, and an interrupt does not end the follow-up"
                    + " early")
    void inactivityBeginsAnewWithEachTurn() {
        bench.script(
                        ScriptedTurn.ending(Outcome.HANG),
                        ScriptedTurn.reply("two").taking(Duration.ofMinutes(29)))
                .start();
        bench.say(ALICE, "one");
        bench.pass(Duration.ofMinutes(20));
        bench.say(ALICE, "two");
        bench.pass(Duration.ofMinutes(29));

        assertThat(bench.seen(ALICE)).endsWith("two");
    }

    @Test
    @DisplayName("W10.2: a pass finalises first and prunes last, so a lane that is both ends with its hook")
    void aPassFinalisesBeforeItPrunes() {
        bench.with(s -> s.retention(r -> r.withLanes(Duration.ofDays(2)))
                        .retention(r -> r.withInterval(Duration.ofDays(3))))
                .start();
        bench.say(ALICE, "a");
        bench.pass(Duration.ofDays(4));

        List<String> order = bench.events.all().stream()
                .map(e -> e.getClass().getSimpleName())
                .filter(n -> n.equals("Finalized") || n.equals("Pruned"))
                .toList();
        assertThat(order).containsExactly("Finalized", "Pruned");
    }

    // ------------------------------------------------------------------ Ctrl-C

    @Test
    @DisplayName(
            "Q8.29: Ctrl-C ends the running turn, keeps the session, and what waits runs next; where nothing runs it"
                    + " does nothing")
    void ctrlCEndsTheTurnOnly() {
        bench.script(slow("never")).start();
        bench.say(ALICE, "task");
        bench.say(ALICE, "/queue next");
        assertThat(bench.operate(g -> g.interruptLane(ALICES))).isTrue();

        assertThat(bench.agents.interrupts()).containsExactly("Interrupted by the user");
        assertThat(bench.turns(ALICES)).containsExactly("task", "next");
        assertThat(bench.decisions(ALICES)).containsExactly("create S1", "reuse S1");
        assertThat(bench.entry(ALICES).isSuspended()).isFalse();
        assertThat(bench.operate(g -> g.interruptLane(ALICES))).isFalse();
    }

    @Test
    @DisplayName("Q8.29: Ctrl-C reaches an agent that directs others, and a turn that waits for an answer")
    void ctrlCReachesEveryTurn() {
        bench.script(
                        slow("x").engagedIn(AgentRun.Engagement.DELEGATING),
                        ScriptedTurn.reply("y").asking(AgentQuestion.Kind.APPROVAL, "Really?"))
                .start();
        bench.say(ALICE, "task");
        assertThat(bench.operate(g -> g.interruptLane(ALICES))).isTrue();
        bench.say(ALICE, "danger");
        assertThat(bench.operate(g -> g.interruptLane(ALICES))).isTrue();
        bench.say(ALICE, "yes");

        assertThat(bench.agents.answers()).isEmpty();
        assertThat(bench.turns(ALICES)).containsExactly("task", "danger", "yes");
    }
}
