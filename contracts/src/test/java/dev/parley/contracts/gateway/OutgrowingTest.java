package dev.parley.contracts.gateway;

import static dev.parley.contracts.gateway.Bench.ALICE;
import static dev.parley.contracts.gateway.Bench.ALICES;
import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.application.port.AnswerListener;
import dev.parley.application.port.GatewayEvent;
import dev.parley.application.port.Received;
import dev.parley.application.replay.ScriptedTurn;
import dev.parley.domain.session.SessionId;
import dev.parley.domain.usage.TokenUsage;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Conversations that are about to outgrow their model (Z12.11). */
class OutgrowingTest {
    private final Bench bench = new Bench();

    private static ScriptedTurn using(long tokens) {
        return ScriptedTurn.echo().spending(new TokenUsage(tokens, 1, 0, 0, 0));
    }

    private void talk(long lastPrompt) {
        bench.agents.withContextLength(1000);
        bench.script(using(10), using(lastPrompt)).start();
        bench.say(ALICE, "a");
        bench.say(ALICE, "b");
    }

    @Test
    @DisplayName(
            "Z12.11: from 85 % of the context on the conversation is compressed before the next turn, and its people"
                    + " are told")
    void aFullConversationIsCompressedFirst() {
        talk(850);
        SessionId session = bench.entry(ALICES).sessionId();
        bench.say(ALICE, "c");

        assertThat(bench.seen(ALICE).get(2)).startsWith("Compressed 4 messages");
        assertThat(bench.entry(ALICES).sessionId()).isEqualTo(session);
        assertThat(bench.transcript(ALICES))
                .containsExactly("user: A summary of 4 messages.", "user: c", "assistant: c");
        assertThat(bench.agents.turns().get(2).history()).hasSize(1);
        bench.say(ALICE, "d");
        assertThat(bench.transcript(ALICES)).hasSize(5);
    }

    @Test
    @DisplayName("Z12.11: below 85 %, or where the size of the context is not known, nothing is compressed")
    void belowNothingIsCompressed() {
        talk(849);
        bench.say(ALICE, "c");
        assertThat(bench.transcript(ALICES)).hasSize(6);
        bench.agents.withContextLength(0);
        bench.script(using(999));
        bench.say(ALICE, "d");
        bench.say(ALICE, "e");
        assertThat(bench.transcript(ALICES)).hasSize(10);
    }

    @Test
    @DisplayName("Z12.11: fewer than four messages are not compressed, however large")
    void aShortConversationIsLeftAlone() {
        bench.agents.withContextLength(1000);
        bench.script(using(999)).start();
        bench.say(ALICE, "a");
        bench.say(ALICE, "b");

        assertThat(bench.transcript(ALICES)).containsExactly("user: a", "assistant: a", "user: b", "assistant: b");
    }

    @Test
    @DisplayName("Z12.11: where no tokens were counted an estimate decides")
    void anEstimateDecides() {
        bench.agents.withContextLength(100);
        bench.start();
        bench.say(ALICE, "a".repeat(200));
        bench.say(ALICE, "b".repeat(200));
        bench.say(ALICE, "c");

        assertThat(bench.transcript(ALICES)).startsWith("user: A summary of 4 messages.", "user: c");
    }

    @Test
    @DisplayName("Z12.11: a summary that fails does not keep the turn from running; it is tried again before the next")
    void aFailureDoesNotBlockTheTurn() {
        talk(900);
        bench.agents.thenSummarise(Optional.empty());
        bench.script(using(900));
        bench.say(ALICE, "c");
        assertThat(bench.transcript(ALICES)).hasSize(6).endsWith("user: c", "assistant: c");
        assertThat(bench.seen(ALICE)).anyMatch(t -> t.contains("could not be compressed"));
        bench.say(ALICE, "d");
        assertThat(bench.transcript(ALICES))
                .containsExactly("user: A summary of 6 messages.", "user: d", "assistant: d");
    }

    @Test
    @DisplayName(
            "Z12.11: a summary that keeps failing is not tried at each message; people are told once in a session, the"
                    + " operator each time")
    void aSummaryThatKeepsFailingIsToldOnce() {
        talk(900);
        for (String text : List.of("c", "d", "e")) {
            bench.agents.thenSummarise(Optional.empty());
            bench.script(using(900));
            bench.say(ALICE, text);
        }
        assertThat(told()).isEqualTo(1);
        assertThat(bench.trouble()).hasSize(2);
        bench.pass(Duration.ofMinutes(10));
        bench.say(ALICE, "f");

        assertThat(told()).isEqualTo(1);
        assertThat(bench.trouble()).hasSize(3);
        assertThat(bench.turns(ALICES)).containsExactly("a", "b", "c", "d", "e", "f");
    }

    @Test
    @DisplayName("Z12.11: once it was compressed, the failures before count no more")
    void whatWasCompressedBeginsAnew() {
        talk(900);
        for (String text : List.of("c", "d")) {
            bench.agents.thenSummarise(Optional.empty());
            bench.script(using(900));
            bench.say(ALICE, text);
        }
        bench.say(ALICE, "/compress");
        bench.script(using(900), using(900), using(900));
        bench.say(ALICE, "e");
        bench.say(ALICE, "f");
        bench.agents.thenSummarise(Optional.empty());
        bench.say(ALICE, "g");
        bench.say(ALICE, "h");

        assertThat(told()).isEqualTo(2);
        assertThat(bench.trouble()).hasSize(3);
        assertThat(bench.seen(ALICE).stream().filter(text -> text.startsWith("Compressed")))
                .hasSize(2);
        assertThat(bench.turns(ALICES)).containsExactly("a", "b", "c", "d", "e", "f", "g", "h");
    }

    /** Returns how often people were told that the conversation could not be compressed. */
    private long told() {
        return bench.seen(ALICE).stream()
                .filter(text -> text.contains("could not be compressed"))
                .count();
    }

    @Test
    @DisplayName("Z12.11: a conversation that a reset ends is not compressed")
    void whatAResetEndsIsNotCompressed() {
        talk(900);
        SessionId old = bench.entry(ALICES).sessionId();
        bench.pass(Duration.ofHours(25));
        bench.say(ALICE, "c");

        assertThat(bench.transcript(old)).hasSize(4);
        assertThat(bench.transcript(ALICES)).containsExactly("user: c", "assistant: c");
        assertThat(bench.seen(ALICE)).noneMatch(t -> t.startsWith("Compressed"));
    }

    @Test
    @DisplayName(
            "Z12.11: a crash while it is compressed loses nothing: both happen after the restart, once and in order")
    void aCrashLosesNothing() {
        talk(900);
        bench.agents.holdSummaries(true);
        bench.running().receive(new Received(ALICE, "c", List.of(), Optional.of("c")), AnswerListener.NONE);
        bench.settle();
        assertThat(bench.turns(ALICES)).containsExactly("a", "b");
        bench.crash();
        bench.agents.holdSummaries(false);
        bench.start();

        assertThat(bench.turns(ALICES)).containsExactly("a", "b", "c");
        assertThat(bench.transcript(ALICES))
                .containsExactly("user: A summary of 4 messages.", "user: c", "assistant: c");
    }

    @Test
    @DisplayName("Z12.11, Z12.2: /stop while it is compressed drops the message and changes nothing else")
    void stopWhileCompressing() {
        talk(900);
        bench.agents.holdSummaries(true);
        bench.say(ALICE, "c");
        bench.say(ALICE, "/stop");

        assertThat(bench.memory.queue().admitted()).isEmpty();
        assertThat(bench.transcript(ALICES)).hasSize(4);
        assertThat(bench.turns(ALICES)).containsExactly("a", "b");
        assertThat(bench.events.of(GatewayEvent.Dropped.class)).hasSize(1);
    }
}
