package dev.parley.contracts.gateway;

import static dev.parley.contracts.gateway.Bench.ALICE;
import static dev.parley.contracts.gateway.Bench.ALICES;
import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.application.gateway.StopMode;
import dev.parley.application.port.AgentQuestion;
import dev.parley.application.port.AnswerListener;
import dev.parley.application.port.Received;
import dev.parley.application.replay.ScriptedTurn;
import dev.parley.application.settings.BusyMode;
import dev.parley.domain.source.SessionSource;
import dev.parley.domain.turn.Inbound;
import dev.parley.domain.turn.Outgoing;
import dev.parley.domain.turn.TurnId;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** What an agent asks while its turn runs, and what answers it (Q8.1, Q8.11, Q8.29). */
class QuestionsTest {
    private final Bench bench = new Bench();

    private static ScriptedTurn dangerous() {
        return ScriptedTurn.reply("deleted").asking(AgentQuestion.Kind.APPROVAL, "Delete everything?");
    }

    private static ScriptedTurn unclear() {
        return ScriptedTurn.reply("painted").asking(AgentQuestion.Kind.CLARIFICATION, "Which colour?");
    }

    @ParameterizedTest
    @CsvSource({
        "yes,ONCE",
        "approve,ONCE",
        "session,SESSION",
        "always,ALWAYS",
        "no,DENY",
        "deny,DENY",
        "' YES ',ONCE",
        "/approve,ONCE",
        "/approve session,SESSION",
        "/approve always,ALWAYS",
        "/approve all,ONCE",
        "/approve ALL always,ALWAYS",
        "/approve session all,SESSION",
        "/deny,DENY",
        "/deny all,DENY",
        "/deny the logs are still needed,DENY: the logs are still needed",
        "/deny ALL,DENY",
        "/deny all not today,DENY: not today",
        "'/deny All: not today',DENY: not today",
        "'/deny all, not today',DENY: not today",
        "/deny All these files matter,DENY: All these files matter",
        "/deny allow me to look first,DENY: allow me to look first"
    })
    @DisplayName("Q8.11, Q8.29: bare words and commands answer a pending approval instead of being queued")
    void bareWordsAnswerAnApproval(String text, String decision) {
        bench.script(dangerous()).start();
        bench.say(ALICE, "clean up");
        assertThat(bench.seen(ALICE)).containsExactly("Delete everything?\nAnswer yes, session, always or no.");
        bench.say(ALICE, text);

        assertThat(bench.agents.answers()).containsExactly(decision);
        assertThat(bench.agents.interrupts()).isEmpty();
        assertThat(bench.turns(ALICES)).containsExactly("clean up");
        assertThat(bench.seen(ALICE)).hasSize(3).contains("deleted");
        assertThat(bench.transcript(ALICES)).containsExactly("user: clean up", "assistant: deleted");
        assertThat(bench.memory.queue().admitted()).isEmpty();
    }

    @Test
    @DisplayName("Q8.11: any other words while an approval is pending are an ordinary message")
    void otherWordsAreAMessage() {
        bench.script(dangerous()).start();
        bench.say(ALICE, "clean up");
        bench.say(ALICE, "yes, but only the logs");

        assertThat(bench.agents.answers()).isEmpty();
        assertThat(bench.turns(ALICES)).containsExactly("clean up", "yes, but only the logs");
    }

    @Test
    @DisplayName("Q8.11: the words are ordinary messages where nothing waits for an approval, and the commands say so")
    void wordsWithoutAQuestionAreMessages() {
        bench.start();
        bench.say(ALICE, "yes");
        bench.say(ALICE, "/approve");
        bench.say(ALICE, "/deny");

        assertThat(bench.turns(ALICES)).containsExactly("yes");
        assertThat(bench.seen(ALICE)).endsWith("Nothing waits for an approval.", "Nothing waits for an approval.");
    }

    @ParameterizedTest
    @EnumSource(BusyMode.class)
    @DisplayName(
            "Q8.1: what is said next answers a clarification in every busy mode, without interrupting, and is stored")
    void theNextMessageAnswersAClarification(BusyMode mode) {
        bench.with(s -> s.busy(b -> b.withMode(mode)).busy(b -> b.withMaxPending(1)))
                .script(unclear())
                .start();
        bench.say(ALICE, "paint it");
        assertThat(bench.seen(ALICE)).containsExactly("Which colour?");
        bench.say(ALICE, "blue");

        assertThat(bench.agents.answers()).containsExactly("blue");
        assertThat(bench.agents.interrupts()).isEmpty();
        assertThat(bench.turns(ALICES)).containsExactly("paint it");
        assertThat(bench.seen(ALICE)).containsExactly("Which colour?", "painted");
        assertThat(bench.transcript(ALICES)).containsExactly("user: paint it", "user: blue", "assistant: painted");
        assertThat(bench.memory.queue().admitted()).isEmpty();
        assertThat(states()).containsOnly(Inbound.State.DONE);
    }

    private List<Inbound.State> states() {
        List<Inbound.State> states = new ArrayList<>();
        bench.memory.queue().forEach(Instant.EPOCH, i -> states.add(i.state()), t -> {}, o -> {});
        return states;
    }

    @Test
    @DisplayName("Q8.1: a clarification is answered by a message that the cap would have turned away")
    void anAnswerIsNoFollowUp() {
        bench.with(s -> s.busy(b -> b.withMode(BusyMode.QUEUE)).busy(b -> b.withMaxPending(1)))
                .script(unclear().taking(Duration.ofMinutes(1)))
                .start();
        bench.say(ALICE, "paint it");
        bench.say(ALICE, "and then");
        bench.pass(Duration.ofMinutes(1));
        bench.say(ALICE, "blue");

        assertThat(bench.agents.answers()).containsExactly("blue");
        assertThat(bench.turns(ALICES)).containsExactly("paint it", "and then");
    }

    @Test
    @DisplayName("Q8.1: only one message answers a clarification")
    void oneMessageAnswers() {
        bench.with(s -> s.busy(b -> b.withMode(BusyMode.QUEUE)))
                .script(unclear())
                .start();
        bench.say(ALICE, "paint it");
        bench.say(ALICE, "blue");
        bench.say(ALICE, "thanks");

        assertThat(bench.agents.answers()).containsExactly("blue");
        assertThat(bench.turns(ALICES)).containsExactly("paint it", "thanks");
    }

    @Test
    @DisplayName("Q8.31: /stop ends a turn that waits for an answer; what is said then begins anew")
    void stopEndsAWaitingTurn() {
        bench.script(dangerous()).start();
        bench.say(ALICE, "clean up");
        bench.say(ALICE, "/stop");
        bench.say(ALICE, "yes");

        assertThat(bench.agents.answers()).isEmpty();
        assertThat(bench.turns(ALICES)).containsExactly("clean up", "yes");
        assertThat(bench.decisions(ALICES)).containsExactly("create S1", "reset S2");
    }

    @Test
    @DisplayName(
            "P7.23, P7.35: a question dies with the process; the answer that comes after the restart decides nothing")
    void aQuestionDiesWithTheProcess() {
        bench.script(dangerous()).start();
        bench.say(ALICE, "clean up");
        bench.crash().start();
        bench.say(ALICE, "yes");

        assertThat(bench.agents.answers()).isEmpty();
        assertThat(bench.turns(ALICES)).containsExactly("clean up", "", "yes");
    }

    @Test
    @DisplayName("C18: a question nobody answers ends with the time-out")
    void anUnansweredQuestionTimesOut() {
        bench.script(dangerous()).start();
        bench.say(ALICE, "clean up");
        bench.pass(Duration.ofMinutes(31));
        assertThat(bench.seen(ALICE)).last().asString().contains("Nobody answered the question for 30 minutes");
        bench.say(ALICE, "yes");
        assertThat(bench.turns(ALICES)).containsExactly("clean up", "yes");
    }

    @Test
    @DisplayName(
            "X9.4: in a shared thread the agent is told who says something to it while it runs, and so is the transcript")
    void whoSteersIsNamedInASharedThread() {
        SessionSource alice = Bench.inThread("-5", "7", "1", "Alice");
        SessionSource bob = Bench.inThread("-5", "7", "2", "Bob");
        bench.script(ScriptedTurn.reply("done")
                        .taking(Duration.ofMinutes(2))
                        .using(new ScriptedTurn.ToolUse("search", "{}", "found")))
                .start();
        bench.say(alice, "look");
        bench.say(bob, "/steer faster");
        bench.pass(Duration.ofMinutes(2));

        assertThat(bench.agents.steered()).containsExactly("[Bob] faster");
        assertThat(bench.transcript(bench.rules().keyOf(alice)))
                .startsWith("user: [Alice] look")
                .contains("user: [Bob] faster");
    }

    /** Keeps what the sender of a message is told. */
    private static final class Waiting implements AnswerListener {
        private final List<String> told = new ArrayList<>();

        @Override
        public void streamed(TurnId turn, String delta) {
            told.add("streamed " + delta);
        }

        @Override
        public void asked(Outgoing question) {
            told.add("asked " + question.text());
        }

        @Override
        public void finished(TurnId turn, String text) {
            told.add("finished " + text);
        }

        @Override
        public void closed(String why) {
            told.add("closed " + why);
        }
    }

    private static Received said(String text, String id) {
        return new Received(ALICE, text, List.of(), Optional.of(id));
    }

    @Test
    void theSenderWhoAnswersAQuestionIsToldTheTurnsAnswer() {
        bench.script(unclear()).start();
        Waiting asker = new Waiting();
        Waiting answerer = new Waiting();
        bench.say(said("paint it", "1"), asker);
        bench.say(said("green", "2"), answerer);

        assertThat(asker.told).containsExactly("asked Which colour?", "streamed painted", "finished painted");
        assertThat(answerer.told).containsExactly("streamed painted", "finished painted");
    }

    @Test
    void theSenderWhoAnswersAQuestionDuringAStopIsToldTheTurnsAnswer() {
        bench.script(unclear()).start();
        Waiting answerer = new Waiting();
        bench.say(ALICE, "paint it");
        var unused = bench.stop(StopMode.SHUTDOWN);
        bench.say(said("green", "answer"), answerer);

        assertThat(answerer.told).containsExactly("streamed painted", "finished painted");
    }
}
