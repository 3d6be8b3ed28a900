package dev.parley.adapter.echo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.parley.application.port.Agent;
import dev.parley.application.port.AgentAnswer;
import dev.parley.application.port.AgentEvents;
import dev.parley.application.port.AgentFailure;
import dev.parley.application.port.AgentRun;
import dev.parley.application.port.AgentSpec;
import dev.parley.application.port.AgentTurn;
import dev.parley.application.port.InvalidRequest;
import dev.parley.domain.key.SessionKey;
import dev.parley.domain.session.SessionId;
import dev.parley.domain.source.Platform;
import dev.parley.domain.source.SessionSource;
import dev.parley.domain.transcript.Content;
import dev.parley.domain.transcript.Message;
import dev.parley.domain.transcript.MessageId;
import dev.parley.domain.transcript.Reasoning;
import dev.parley.domain.transcript.Role;
import dev.parley.domain.transcript.ToolCall;
import dev.parley.domain.turn.TurnId;
import dev.parley.domain.usage.TokenUsage;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class EchoAgentTest {
    private final Surroundings around = new Surroundings();
    private final Heard heard = new Heard();

    @Test
    void answersWithTheTextOfTheUser() {
        start("good morning");
        around.runAll();

        assertThat(heard.log).last().isEqualTo("answered: good morning");
    }

    @Test
    void streamsItsAnswerInPiecesThatTogetherAreTheAnswer() {
        String text = "the quick brown fox jumps over the lazy dog and goes home";
        start(text);
        around.runAll();

        assertThat(heard.deltas).hasSizeBetween(2, 8);
        assertThat(String.join("", heard.deltas)).isEqualTo(text);
    }

    @Test
    void reportsNothingBeforeStartHasReturned() {
        start("good morning");

        assertThat(heard.log).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "   ", "\n"})
    void hasSomethingToSayWhereTheInputIsEmpty(String nothing) {
        start(nothing);
        around.runAll();

        assertThat(heard.answer().content().plainText()).isEqualTo(Reply.NOTHING);
    }

    /** P7.31, P7.32: a resumed turn without new input has nothing but a note. */
    @Test
    void greetsWhereAllItWasGivenIsANote() {
        start("[System note: the gateway was restarted.\nSkip unfinished work.]\n\n");
        around.runAll();

        assertThat(heard.answer().content().plainText()).isEqualTo(Reply.RESTORED);
    }

    /** P7.32: notes stand in brackets before a blank line. */
    @Test
    void doesNotEchoTheNotesBeforeTheText() {
        start("[System note: one]\n\n[System note: two]\n\nhello [System note: mine]");
        around.runAll();

        assertThat(heard.answer().content().plainText()).isEqualTo("hello [System note: mine]");
    }

    @Test
    void countsWordsAsTokens() {
        start("one two three");
        around.runAll();

        assertThat(heard.answer().tokens()).isEqualTo(new TokenUsage(3, 3, 0, 0, 0));
        assertThat(heard.answer().lastPromptTokens()).isEqualTo(3);
        assertThat(heard.answer().apiCalls()).isEqualTo(1);
        assertThat(heard.answer().model()).contains("echo");
    }

    @Test
    void anInterruptedRunTellsWhatItHadSaidAndNothingAfterwards() {
        AgentRun run = start("one two three four five six seven eight nine ten", Map.of("delay", "2"));
        around.advance(Duration.ofSeconds(2));
        run.interrupt("enough");
        run.interrupt("really");
        around.runAll();
        around.advance(Duration.ofMinutes(10));

        assertThat(heard.deltas).hasSize(1);
        assertThat(heard.log).containsExactly("streamed", "interrupted: " + heard.deltas.get(0));
    }

    @Test
    void interruptingARunThatHasEndedDoesNothing() {
        AgentRun run = start("hello");
        around.runAll();
        run.interrupt("too late");
        around.runAll();

        assertThat(heard.log).filteredOn(l -> !l.equals("streamed")).containsExactly("answered: hello");
    }

    /** Otherwise its lane would wait for a turn that nobody works on. */
    @Test
    void whatAReportThrowsEndsTheTurn() {
        heard.faulty = true;
        start("one two three");
        around.runAll();

        assertThat(heard.log)
                .containsExactly("streamed", "failed: The model gave no answer. Please try again in a while.");
    }

    @Test
    void takesNoMoreInputWhileItRuns() {
        AgentRun run = start("hello", Map.of("delay", "2"));

        assertThat(run.steer("and more")).isFalse();
    }

    @Test
    void waitsBeforeEachPieceWhereADelayIsSet() {
        start("one two", Map.of("delay", "0.5"));
        around.runAll();
        assertThat(heard.deltas).isEmpty();

        around.advance(Duration.ofMillis(499));
        assertThat(heard.deltas).isEmpty();

        around.advance(Duration.ofMillis(1));
        assertThat(heard.deltas).hasSize(1);
    }

    @Test
    void tellsWhenItLastDidSomething() {
        AgentRun run = start("one two", Map.of("delay", "3"));
        Instant begun = run.lastActivity();
        around.advance(Duration.ofSeconds(3));

        assertThat(run.lastActivity()).isEqualTo(begun.plusSeconds(3));
    }

    @ParameterizedTest
    @ValueSource(strings = {"-1", "soon", "3601", "1e99"})
    void refusesADelayThatIsNone(String delay) {
        assertThatThrownBy(() -> new EchoProvider().create(around.settings(Map.of("delay", delay))))
                .isInstanceOf(InvalidRequest.class)
                .hasMessageStartingWith("agents.echo.delay: '" + delay + "' is not a number of seconds");
    }

    @Test
    void summarisesWithTheConversationsOwnWordsInOrder() {
        List<Message> history = new ArrayList<>();
        for (int i = 1; i <= 40; i++) {
            history.add(message(i % 2 == 1 ? Role.USER : Role.ASSISTANT, "line " + i + (i == 7 ? " about Boats" : "")));
        }
        history.add(message(Role.TOOL, "not said by anybody"));
        agent(Map.of()).summarise(history, Optional.of("boats"), heard);
        assertThat(heard.log).isEmpty();
        around.runAll();

        assertThat(heard.log).hasSize(1);
        assertThat(heard.log.get(0).lines())
                .startsWith("summarised: From 40 messages:", "- user: line 1", "- user: line 7 about Boats")
                .endsWith("- user: line 39", "- assistant: line 40")
                .hasSize(13);
    }

    @Test
    void hasNoSummaryOfNothing() {
        agent(Map.of()).summarise(List.of(), Optional.empty(), heard);
        around.runAll();

        assertThat(heard.log).containsExactly("summarised: ");
    }

    @Test
    void aSummaryCanBeInterrupted() {
        agent(Map.of())
                .summarise(List.of(message(Role.USER, "hi")), Optional.empty(), heard)
                .interrupt("stopping");
        around.runAll();

        assertThat(heard.log).containsExactly("failed: The summary was interrupted: stopping");
    }

    @Test
    void anAnswerThatCannotBeReportedEndsTheTurnAsAFailure() {
        heard.endFaulty = true;
        start("hi");
        around.runAll();

        assertThat(heard.log)
                .endsWith("answered: hi", "failed: The model gave no answer. Please try again in a while.");
    }

    @Test
    void anInterruptionThatCannotBeReportedEndsTheTurnAsAFailure() {
        heard.endFaulty = true;
        start("hi", Map.of("delay", "3")).interrupt("stopping");
        around.runAll();

        assertThat(heard.log)
                .endsWith("interrupted: ", "failed: The model gave no answer. Please try again in a while.");
    }

    private AgentRun start(String text) {
        return start(text, Map.of());
    }

    private AgentRun start(String text, Map<String, String> settings) {
        return agent(settings)
                .start(
                        new AgentTurn(
                                new TurnId("t-1"),
                                SessionId.of("20260101_120000_00000001"),
                                "prompt",
                                List.of(),
                                message(Role.USER, text),
                                List.of(),
                                Optional.empty()),
                        heard);
    }

    private Agent agent(Map<String, String> settings) {
        return new EchoProvider()
                .create(around.settings(settings))
                .create(new AgentSpec(
                        SessionKey.of("agent:main:local:dm:alice"),
                        SessionId.of("20260101_120000_00000001"),
                        SessionSource.builder(Platform.LOCAL, "alice").build(),
                        "prompt",
                        Optional.empty()));
    }

    private static Message message(Role role, String text) {
        return Message.builder(new MessageId("m"), role, Content.text(text), Instant.EPOCH)
                .build();
    }

    private static final class Heard implements AgentEvents, Agent.SummaryListener {
        private final List<String> log = new ArrayList<>();
        private final List<String> deltas = new ArrayList<>();
        private boolean faulty;
        private boolean endFaulty;
        private final List<AgentAnswer> answers = new ArrayList<>();

        AgentAnswer answer() {
            assertThat(answers).hasSize(1);
            return answers.get(0);
        }

        @Override
        public void streamed(String delta) {
            log.add("streamed");
            deltas.add(delta);
            if (faulty) {
                throw new NoSuchMethodError("a fault");
            }
        }

        @Override
        public void toolsCalled(Content content, List<ToolCall> calls, Reasoning reasoning) {
            log.add("tools");
        }

        @Override
        public void toolAnswered(String callId, String tool, Content result) {
            log.add("tool");
        }

        @Override
        public void answered(AgentAnswer answer) {
            log.add("answered: " + answer.content().plainText());
            answers.add(answer);
            if (endFaulty) {
                throw new NoSuchMethodError("a fault");
            }
        }

        @Override
        public void failed(AgentFailure failure) {
            log.add("failed: " + failure.message());
        }

        @Override
        public void interrupted(AgentAnswer partial) {
            log.add("interrupted: " + partial.content().plainText());
            if (endFaulty) {
                throw new NoSuchMethodError("a fault");
            }
        }

        @Override
        public void summarised(String summary) {
            log.add("summarised: " + summary);
        }

        @Override
        public void failed(String why) {
            log.add("failed: " + why);
        }
    }
}
