package dev.parley.contracts.port;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectMethod;

import dev.parley.application.port.Agent;
import dev.parley.application.port.AgentFactory;
import dev.parley.application.port.AgentQuestion;
import dev.parley.application.port.AgentRun;
import dev.parley.application.replay.ScriptedAgents;
import dev.parley.application.replay.ScriptedTurn;
import dev.parley.application.replay.SerialExecutor;
import dev.parley.application.replay.VirtualClock;
import dev.parley.application.replay.VirtualTimers;
import dev.parley.domain.source.Platform;
import dev.parley.testing.RecordingPlatform;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.testkit.engine.EngineTestKit;
import org.junit.platform.testkit.engine.Events;

/** Agents and platforms with one thing wrong fail the test that is named for it. */
class WrongPortsTest {
    private static volatile String wrong = "";

    private static Events run(Class<?> contract, String test) {
        return EngineTestKit.engine("junit-jupiter")
                .configurationParameter("parley.contracts.report", "none")
                .selectors(selectMethod(contract, test))
                .execute()
                .testEvents();
    }

    private static String failure(Events events) {
        return String.valueOf(events.failed()
                .list()
                .get(0)
                .getRequiredPayload(TestExecutionResult.class)
                .getThrowable()
                .orElseThrow()
                .getMessage());
    }

    // Platforms

    static class LosingLines implements ChatPlatformContract {
        @Override
        public PlatformUnderTest platform() {
            return RecordingPlatformTest.of(
                    new RecordingPlatform(Platform.TELEGRAM),
                    Optional.<UnaryOperator<String>>of(
                            text -> text.lines().findFirst().orElse("")));
        }
    }

    @Test
    void aPlatformOfLinesThatDropsTheSecondOneFails() {
        Events events = run(LosingLines.class, "whatIsSentIsShownInOrder");

        events.assertStatistics(counts -> counts.started(1).failed(1));
        assertThat(failure(events)).contains("the second of two lines, on a platform that carries no line break");
    }

    // Agents

    /** Scripted agents whose runs answer one call wrongly. */
    static class Asking implements AskingAgentContract {
        private final VirtualClock clock = new VirtualClock(Instant.parse("2026-03-10T08:00:00Z"));
        private final VirtualTimers timers = new VirtualTimers(clock, new SerialExecutor());
        private final ScriptedAgents agents = new ScriptedAgents(clock, timers);

        @Override
        public AgentFactory factory() {
            return answering(
                    AgentFactory.class,
                    agents,
                    "create",
                    (made, given) ->
                            answering(Agent.class, (Agent) made, "start", (run, arguments) -> wrongly((AgentRun) run)));
        }

        private static AgentRun wrongly(AgentRun run) {
            return answering(AgentRun.class, run, wrong, (answer, arguments) -> !(boolean) answer);
        }

        @Override
        public boolean prepare(Behaviour behaviour) {
            agents.then(
                    behaviour == Behaviour.HANG
                            ? ScriptedTurn.ending(ScriptedTurn.Outcome.HANG)
                            : ScriptedTurn.echo().taking(Duration.ofSeconds(1)));
            return true;
        }

        @Override
        public boolean prepareToAsk(AgentQuestion.Kind kind) {
            agents.then(ScriptedTurn.echo().taking(Duration.ofSeconds(1)).asking(kind, "Really?"));
            return true;
        }

        @Override
        public boolean prepareToBeSteered() {
            return prepare(Behaviour.ANSWER);
        }

        @Override
        public void workUntil(BooleanSupplier condition) {
            timers.advance(Duration.ofMinutes(1));
            assertThat(condition.getAsBoolean()).isTrue();
        }
    }

    private interface Instead {
        Object of(Object answer, Object[] arguments);
    }

    /** Answers one method otherwise. */
    private static <T> T answering(Class<T> port, T right, String method, Instead instead) {
        return port.cast(Proxy.newProxyInstance(
                port.getClassLoader(), new Class<?>[] {port}, (proxy, called, arguments) -> {
                    try {
                        Object answer = called.invoke(right, arguments);
                        return called.getName().equals(method) ? instead.of(answer, arguments) : answer;
                    } catch (InvocationTargetException e) {
                        throw e.getTargetException();
                    }
                }));
    }

    @ParameterizedTest(name = "where {0} answers wrongly, {1} fails")
    @CsvSource({
        "approve, anApprovalIsTakenOnceAndTheTurnGoesOn",
        "approve, aRunThatHasAskedNothingTakesNoDecisionAndNoAnswer",
        "approve, anInterruptedQuestionTakesNoDecision",
        "deny, aDenialIsTakenOnceAndTheTurnGoesOn",
        "deny, aRunThatHasAskedNothingTakesNoDecisionAndNoAnswer",
        "clarify, anAnswerToAClarificationIsTakenOnceAndTheTurnGoesOn",
        "clarify, anApprovalIsNoClarification",
        "clarify, aRunThatHasAskedNothingTakesNoDecisionAndNoAnswer",
        "steer, whatIsHandedToARunningTurnIsInItsAnswer",
        "nothing, whatIsHandedToARunningTurnIsInItsAnswer",
    })
    void anAgentThatAsksWronglyFails(String method, String test) {
        wrong = "";
        if (!method.equals("nothing") && !method.equals("steer")) {
            run(Asking.class, test).assertStatistics(counts -> counts.started(1).succeeded(1));
        }
        wrong = method;
        Events events = run(Asking.class, test);

        events.assertStatistics(counts -> counts.started(1).failed(1));
        assertThat(failure(events)).doesNotContain("Expecting code");
    }
}
