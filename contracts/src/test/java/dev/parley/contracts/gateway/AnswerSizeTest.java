package dev.parley.contracts.gateway;

import static dev.parley.contracts.gateway.Bench.ALICE;
import static dev.parley.contracts.gateway.Bench.ALICES;
import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.application.port.Agent;
import dev.parley.application.port.AgentAnswer;
import dev.parley.application.port.AgentEvents;
import dev.parley.application.port.AgentFailure;
import dev.parley.application.port.AgentQuestion;
import dev.parley.application.port.GatewayEvent;
import dev.parley.application.port.TurnQuery;
import dev.parley.domain.text.RawJson;
import dev.parley.domain.transcript.Content;
import dev.parley.domain.transcript.Reasoning;
import dev.parley.domain.transcript.ToolCall;
import dev.parley.domain.turn.Turn;
import dev.parley.domain.turn.TurnReason;
import dev.parley.domain.usage.Billing;
import dev.parley.domain.usage.TokenUsage;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** A turn whose agent says more than it may is ended, whatever it says it with and whoever's agent it is. */
class AnswerSizeTest {
    private static final int MOST = 1_000;
    private static final String ENDED =
            "Sorry, that did not work: The answer became longer than it may be, so the task was"
                    + " stopped. Please ask for less at a time.";

    private final Bench bench = new Bench().with(s -> s.turns(t -> t.withAnswerSize(MOST)));
    private final StreamingAgents agents = new StreamingAgents();

    @BeforeEach
    void anAgentThatSaysWhatItIsTold() {
        bench.factory = agents;
        bench.start();
        bench.say(ALICE, "hello");
    }

    private static String characters(int count) {
        return "x".repeat(count);
    }

    private void reported(Consumer<AgentEvents> report) {
        report.accept(agents.events());
        bench.settle();
    }

    private void assertEnded() {
        assertThat(bench.seen(ALICE)).containsExactly(ENDED);
        assertThat(bench.trouble())
                .extracting(GatewayEvent.Trouble::what)
                .containsExactly("The agent said more than the 1000 characters that agent.max_answer_size"
                        + " allows, and was stopped.");
        assertThat(agents.interrupts).hasSize(1);
        assertThat(agents.released).isEqualTo(1);
    }

    @Test
    void anAgentThatDoesNotStopTalkingEndsItsTurnAndIsNotUsedAgain() {
        for (int i = 0; i <= MOST; i++) {
            agents.say("x");
        }
        bench.settle();
        assertEnded();
        assertThat(bench.memory.queue().turns(TurnQuery.first(1)).rows())
                .first()
                .extracting(Turn::state, Turn::reason)
                .containsExactly(Turn.State.FAILED, Optional.of(TurnReason.MODEL));

        bench.say(ALICE, "again");
        agents.answer("Done.");
        bench.settle();
        assertThat(bench.seen(ALICE)).containsExactly(ENDED, "Done.");
    }

    @Test
    void whatAnAgentSaysAfterItsTurnWasEndedIsKeptByNobody() {
        AgentEvents events = agents.events();
        events.streamed(characters(MOST + 1));
        events.streamed("more");
        events.toolsCalled(Content.text("look"), List.of(new ToolCall("1", "look", "{}")), Reasoning.NONE);
        events.toolAnswered("1", "look", Content.text("seen"));
        events.asked(new AgentQuestion(AgentQuestion.Kind.CLARIFICATION, "Which?"));
        events.answered(AgentAnswer.text("all of it"));
        bench.settle();
        assertEnded();
        assertThat(bench.transcript(ALICES)).containsExactly("user: hello");
    }

    static Stream<Arguments> tooMuch() {
        String much = characters(MOST + 1);
        Reasoning thought = new Reasoning(
                Optional.of(characters(600)),
                Optional.empty(),
                Optional.of(new RawJson(characters(401))),
                Optional.empty(),
                Optional.empty());
        return Stream.of(
                report("an answer", events -> events.answered(AgentAnswer.text(much))),
                report("a partial answer", events -> events.interrupted(AgentAnswer.text(much))),
                report(
                        "parts of an answer",
                        events -> events.answered(saying(new Content.Multipart(new RawJson(much), List.of())))),
                report("reasoning", events -> events.toolsCalled(Content.none(), List.of(), thought)),
                report(
                        "the arguments of a tool",
                        events -> events.toolsCalled(
                                Content.none(), List.of(new ToolCall("1", "look", much)), Reasoning.NONE)),
                report("many tools", events -> {
                    for (int i = 0; i < MOST; i++) {
                        events.toolsCalled(Content.none(), List.of(new ToolCall("", "x", "")), Reasoning.NONE);
                        events.toolAnswered("", "x", Content.none());
                    }
                    events.streamed("x");
                }),
                report("the result of a tool", events -> {
                    events.toolsCalled(Content.none(), List.of(new ToolCall("1", "look", "")), Reasoning.NONE);
                    events.toolAnswered("1", "look", Content.text(much));
                }),
                report("results of no tool", events -> {
                    for (int i = 0; i <= MOST; i++) {
                        events.toolAnswered("1", "look", Content.none());
                    }
                }),
                report(
                        "a question",
                        events -> events.asked(new AgentQuestion(
                                AgentQuestion.Kind.CLARIFICATION,
                                "Which?",
                                List.of(characters(500), characters(500))))),
                report(
                        "the words of a failure",
                        events -> events.failed(new AgentFailure(AgentFailure.Kind.MODEL, much, TokenUsage.NONE, 1))));
    }

    private static AgentAnswer saying(Content content) {
        return new AgentAnswer(
                content,
                Reasoning.NONE,
                Optional.of("stop"),
                TokenUsage.NONE,
                0,
                1,
                Optional.empty(),
                Billing.NONE,
                Optional.empty());
    }

    private static Arguments report(String what, Consumer<AgentEvents> report) {
        return Arguments.of(what, report);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("tooMuch")
    void allThatAnAgentSaysCounts(String what, Consumer<AgentEvents> report) {
        reported(report);
        assertThat(bench.seen(ALICE)).as(what).last().isEqualTo(ENDED);
        assertThat(agents.interrupts).hasSize(1);
    }

    @Test
    @SuppressWarnings("NullAway") // What an agent of others may do all the same.
    void aReportThatCannotBeCountedEndsTheTurnAsOneThatCannotBeHeard() {
        reported(events -> events.answered(saying(null)));
        assertThat(bench.seen(ALICE))
                .containsExactly(
                        "Sorry, that did not work: Something went wrong inside the gateway. Please try again.");
    }

    @Test
    void textThatIsToldAgainAsAWholeCountsOnce() {
        agents.say(characters(400));
        reported(events -> events.toolsCalled(
                Content.text(characters(400)), List.of(new ToolCall("1", "look", "{}")), Reasoning.NONE));
        reported(events -> events.toolAnswered("1", "look", Content.text(characters(MOST))));
        agents.say(characters(500));
        agents.answer(characters(500));
        bench.settle();
        assertThat(bench.seen(ALICE)).containsExactly(characters(500));
        assertThat(bench.trouble()).isEmpty();
        assertThat(agents.interrupts).isEmpty();
    }

    @Test
    void anAgentThatDoesNotStopTalkingBeforeItsStartFailsEndsItsTurnToo() {
        bench.say(ALICE, "/stop");
        agents.starting = events -> {
            events.streamed(characters(MOST + 1));
            throw new IllegalStateException("out of order");
        };
        bench.say(ALICE, "again");
        assertThat(bench.seen(ALICE)).last().isEqualTo(ENDED);
        assertThat(bench.running().lane(ALICES).orElseThrow().running()).isFalse();
    }

    /** Has the agent begin to summarise what was said. */
    private Agent.SummaryListener summary() {
        agents.answer("one");
        bench.settle();
        for (String text : List.of("two", "three")) {
            bench.say(ALICE, text);
            agents.answer(text);
            bench.settle();
        }
        bench.say(ALICE, "/compress");
        return agents.summary.orElseThrow();
    }

    private void assertNotSummarised() {
        bench.settle();
        assertThat(bench.seen(ALICE))
                .last()
                .asString()
                .startsWith("The conversation could not be compressed: The summary became longer than it may be.");
        assertThat(bench.transcript(ALICES)).hasSize(6);
        assertThat(bench.trouble()).hasSize(1);
        assertThat(agents.interrupts).hasSize(1);
        assertThat(agents.released).isEqualTo(1);
    }

    @Test
    void aSummaryThatDoesNotEndIsStopped() {
        Agent.SummaryListener summary = summary();
        for (int i = 0; i <= MOST; i++) {
            summary.streamed("x");
        }
        summary.summarised("All of it.");
        assertNotSummarised();
    }

    @Test
    void aSummaryThatIsTooLongIsNone() {
        summary().summarised(characters(MOST + 1));
        assertNotSummarised();
    }
}
