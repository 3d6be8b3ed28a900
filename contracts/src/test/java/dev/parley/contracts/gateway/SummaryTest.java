package dev.parley.contracts.gateway;

import static dev.parley.contracts.gateway.Bench.ALICE;
import static dev.parley.contracts.gateway.Bench.ALICES;
import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.application.gateway.StopMode;
import dev.parley.application.port.AnswerListener;
import dev.parley.application.port.GatewayEvent;
import dev.parley.application.port.Received;
import dev.parley.domain.session.SessionId;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Commands that ask the agent for a summary, through the gateway (Z12.10). */
class SummaryTest {
    private final Bench bench = new Bench();

    @BeforeEach
    void talk() {
        bench.start();
        for (String text : List.of("a", "b", "c")) {
            bench.say(ALICE, text);
        }
    }

    /** Hands in without waiting for what follows. */
    private void rush(String... texts) {
        bench.rush(receipts -> {
            for (String text : texts) {
                receipts.add(bench.running()
                        .receive(
                                new Received(ALICE, text, List.of(), Optional.of("r" + text.hashCode())),
                                AnswerListener.NONE)
                        .toCompletableFuture());
            }
        });
    }

    @Test
    @DisplayName("Z12.10: /compress replaces the conversation by a summary; the session and its rows stay")
    void compressReplacesTheConversation() {
        SessionId before = bench.entry(ALICES).sessionId();
        bench.say(ALICE, "/compress colours");

        assertThat(bench.entry(ALICES).sessionId()).isEqualTo(before);
        assertThat(bench.seen(ALICE)).last().asString().startsWith("Compressed 6 messages");
        assertThat(bench.transcript(ALICES)).containsExactly("user: A summary of 6 messages about colours.");
        bench.say(ALICE, "d");
        assertThat(bench.agents.turns().get(3).history()).hasSize(1);
        assertThat(bench.memory.queue().admitted()).isEmpty();
    }

    @Test
    @DisplayName(
            "Q8.11: what is said while a conversation is compressed waits, is told so, and runs behind the summary")
    void messagesWaitForTheSummary() {
        rush("/compress", "d");

        assertThat(bench.seen(ALICE))
                .contains("The conversation is being compressed. Your message is queued; /stop cancels.");
        assertThat(bench.turns(ALICES)).containsExactly("a", "b", "c", "d");
        assertThat(bench.transcript(ALICES))
                .containsExactly("user: A summary of 6 messages.", "user: d", "assistant: d");
    }

    @ParameterizedTest
    @ValueSource(strings = {"/queue d", "/steer d", "d"})
    @DisplayName(
            "Q8.11: whoever queues or steers while a conversation is compressed is told what an ordinary message is")
    void whatIsQueuedDuringASummaryIsAcknowledged(String text) {
        bench.agents.holdSummaries(true);
        bench.say(ALICE, "/compress");
        bench.say(ALICE, text);

        assertThat(bench.seen(ALICE))
                .last()
                .isEqualTo("The conversation is being compressed. Your message is queued; /stop cancels.");
    }

    @Test
    @DisplayName("Q8.30: while a conversation is compressed a command that needs an idle lane is asked to wait")
    void commandsWaitForTheSummary() {
        rush("/compress", "/undo");

        assertThat(bench.seen(ALICE)).anyMatch(t -> t.startsWith("The agent is running. Wait"));
        assertThat(bench.transcript(ALICES)).containsExactly("user: A summary of 6 messages.");
    }

    @Test
    @DisplayName("Z12.2, Z12.10: /stop cancels a summary and changes nothing")
    void stopCancelsASummary() {
        rush("/compress", "/stop");

        assertThat(bench.transcript(ALICES)).hasSize(6);
        assertThat(bench.memory.queue().admitted()).isEmpty();
        assertThat(bench.trouble()).isEmpty();
        bench.say(ALICE, "d");
        assertThat(bench.turns(ALICES)).containsExactly("a", "b", "c", "d");
    }

    @Test
    @DisplayName("Z12.1: /new cancels a summary; the late summary reaches neither session")
    void newCancelsASummary() {
        SessionId before = bench.entry(ALICES).sessionId();
        rush("/compress", "/new", "d");

        assertThat(bench.transcript(before)).hasSize(6);
        assertThat(bench.transcript(ALICES)).containsExactly("user: d", "assistant: d");
    }

    @Test
    @DisplayName("Z12.10: a failed summary changes nothing and says why")
    void aFailedSummaryChangesNothing() {
        bench.agents.thenSummarise(Optional.empty());
        bench.say(ALICE, "/compress");

        assertThat(bench.seen(ALICE))
                .last()
                .asString()
                .contains("could not be compressed")
                .contains("Nothing was changed");
        assertThat(bench.transcript(ALICES)).hasSize(6);
    }

    @Test
    @DisplayName("Commit rule 3: a /compress that a crash cut off runs again after the restart, once")
    void aCrashRunsTheCommandAgain() {
        bench.running().receive(new Received(ALICE, "/compress", List.of(), Optional.of("c")), AnswerListener.NONE);
        bench.agents.holdSummaries(true);
        bench.settle();
        assertThat(bench.transcript(ALICES)).hasSize(6);
        bench.crash();
        bench.agents.holdSummaries(false);
        bench.start();

        assertThat(bench.transcript(ALICES)).containsExactly("user: A summary of 6 messages.");
        assertThat(bench.seen(ALICE))
                .filteredOn(t -> t.startsWith("Compressed"))
                .hasSize(1);
        bench.say(ALICE, "/compress", "c");
        assertThat(bench.transcript(ALICES)).hasSize(1);
    }

    @Test
    @DisplayName("Z12.10: a summary that never comes is given up after the time-out, and the lane goes on")
    void aSummaryThatNeverComesIsGivenUp() {
        bench.agents.holdSummaries(true);
        bench.say(ALICE, "/compress");
        bench.say(ALICE, "d");
        bench.pass(Duration.ofMinutes(31));

        assertThat(bench.seen(ALICE)).anyMatch(t -> t.contains("the summary took longer than 30 min"));
        assertThat(bench.turns(ALICES)).endsWith("d");
        assertThat(bench.transcript(ALICES)).hasSize(8);
    }

    @Test
    @DisplayName("P7.39: a stop of the gateway does not wait for ever for a summary; it is made after the restart")
    void aStopCutsASummaryOff() {
        bench.agents.holdSummaries(true);
        bench.say(ALICE, "/compress");
        bench.halt(StopMode.RESTART);
        bench.crash();
        bench.agents.holdSummaries(false);
        bench.start();

        assertThat(bench.transcript(ALICES)).containsExactly("user: A summary of 6 messages.");
        assertThat(bench.events.of(GatewayEvent.Trouble.class)).isEmpty();
    }
}
