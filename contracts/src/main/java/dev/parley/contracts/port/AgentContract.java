package dev.parley.contracts.port;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.parley.application.port.Agent;
import dev.parley.application.port.AgentAnswer;
import dev.parley.application.port.AgentEvents;
import dev.parley.application.port.AgentFailure;
import dev.parley.application.port.AgentQuestion;
import dev.parley.application.port.AgentRun;
import dev.parley.application.port.AgentSpec;
import dev.parley.application.port.AgentTurn;
import dev.parley.contracts.level.Core;
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
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BooleanSupplier;

/** {@link Agent}: the order of its events, its one end, interrupts. */
public interface AgentContract extends AgentFactoryContract {
    /** What an agent can be made to do in its next turn. */
    enum Behaviour {
        /** It answers. */
        ANSWER,
        /** It uses two tools, then answers. */
        USE_TOOLS,
        /** It fails. */
        FAIL,
        /** It neither answers nor fails until it is interrupted. */
        HANG
    }

    /** Makes the next turn of the agents so; returns false where these agents never do that. */
    boolean prepare(Behaviour behaviour);

    /** Lets the agents work until the condition holds; fails the test where that takes too long. */
    void workUntil(BooleanSupplier condition);

    /** Returns a specification that the factory takes. */
    static AgentSpec spec(String prompt) {
        return new AgentSpec(
                SessionKey.of("agent:main:local:dm:contract"),
                SessionId.of("s"),
                SessionSource.builder(Platform.LOCAL, "contract").build(),
                prompt,
                Optional.empty());
    }

    /** Returns a turn in which the user says this. */
    static AgentTurn turn(String text) {
        return new AgentTurn(
                new TurnId("turn"),
                SessionId.of("s"),
                "Be brief.",
                List.of(),
                Message.builder(new MessageId("m"), Role.USER, Content.text(text), Instant.EPOCH)
                        .build(),
                List.of(),
                Optional.empty());
    }

    /** Takes down the events of a turn as words. */
    final class EventLog implements AgentEvents {
        private final List<String> events = new CopyOnWriteArrayList<>();
        private final List<AgentQuestion> questions = new CopyOnWriteArrayList<>();

        /** Nothing was reported yet. */
        public EventLog() {}

        /** Returns what was reported, without what was only streamed. */
        public List<String> events() {
            return List.copyOf(events);
        }

        /** Returns what the agent has asked its user, in order. */
        public List<AgentQuestion> questions() {
            return List.copyOf(questions);
        }

        /** Returns how often the turn has ended. */
        public long ends() {
            return events.stream()
                    .filter(e -> e.startsWith("answered") || e.startsWith("failed") || e.startsWith("interrupted"))
                    .count();
        }

        @Override
        public void streamed(String delta) {
            if (ends() > 0) {
                events.add("streamed behind the end");
            }
        }

        @Override
        public void toolsCalled(Content content, List<ToolCall> calls, Reasoning reasoning) {
            calls.forEach(call -> events.add("called " + call.id()));
        }

        @Override
        public void toolAnswered(String callId, String tool, Content result) {
            events.add("result " + callId);
        }

        @Override
        public void asked(AgentQuestion question) {
            if (ends() > 0) {
                events.add("asked behind the end");
            }
            questions.add(question);
        }

        @Override
        public void answered(AgentAnswer answer) {
            events.add("answered " + answer.content().plainText());
        }

        @Override
        public void failed(AgentFailure failure) {
            events.add("failed " + failure.message());
        }

        @Override
        public void interrupted(AgentAnswer partial) {
            events.add("interrupted");
        }
    }

    private void given(Behaviour behaviour) {
        assumeTrue(prepare(behaviour), () -> "These agents never " + behaviour + ".");
    }

    @Core
    default void aTurnEndsOnceWithAnAnswer() {
        given(Behaviour.ANSWER);
        try (Agent agent = factory().create(spec("Be brief."))) {
            EventLog log = new EventLog();
            agent.start(turn("hello"), log);
            workUntil(() -> log.ends() > 0);

            assertThat(log.events()).hasSize(1);
            assertThat(log.events().get(0)).startsWith("answered ").hasSizeGreaterThan("answered ".length());
        }
    }

    @Core
    default void nothingIsReportedBeforeTheStartReturns() {
        given(Behaviour.ANSWER);
        try (Agent agent = factory().create(spec("Be brief."))) {
            List<String> order = new CopyOnWriteArrayList<>();
            Object lock = new Object();
            EventLog log = new EventLog();
            synchronized (lock) {
                agent.start(turn("hello"), new Guarded(log, lock, order));
                order.add("returned");
            }
            workUntil(() -> log.ends() > 0);

            assertThat(order.get(0)).isEqualTo("returned");
        }
    }

    /** Notes the first event, behind a lock that the starting thread holds. */
    final class Guarded implements AgentEvents {
        private final AgentEvents behind;
        private final Object lock;
        private final List<String> order;

        Guarded(AgentEvents behind, Object lock, List<String> order) {
            this.behind = behind;
            this.lock = lock;
            this.order = order;
        }

        private void note() {
            synchronized (lock) {
                order.add("event");
            }
        }

        @Override
        public void streamed(String delta) {
            note();
            behind.streamed(delta);
        }

        @Override
        public void toolsCalled(Content content, List<ToolCall> calls, Reasoning reasoning) {
            note();
            behind.toolsCalled(content, calls, reasoning);
        }

        @Override
        public void toolAnswered(String callId, String tool, Content result) {
            note();
            behind.toolAnswered(callId, tool, result);
        }

        @Override
        public void answered(AgentAnswer answer) {
            note();
            behind.answered(answer);
        }

        @Override
        public void failed(AgentFailure failure) {
            note();
            behind.failed(failure);
        }

        @Override
        public void interrupted(AgentAnswer partial) {
            note();
            behind.interrupted(partial);
        }
    }

    @Core
    default void everyToolIsAnsweredBehindItsCallAndBeforeTheEnd() {
        given(Behaviour.USE_TOOLS);
        try (Agent agent = factory().create(spec("Be brief."))) {
            EventLog log = new EventLog();
            agent.start(turn("look it up"), log);
            workUntil(() -> log.ends() > 0);

            List<String> events = log.events();
            List<String> calls = events.stream()
                    .filter(e -> e.startsWith("called "))
                    .map(e -> e.substring("called ".length()))
                    .toList();
            assertThat(calls).hasSize(2).doesNotHaveDuplicates();
            for (String call : calls) {
                assertThat(events).containsOnlyOnce("result " + call);
                assertThat(events.indexOf("result " + call)).isGreaterThan(events.indexOf("called " + call));
            }
            assertThat(events.get(events.size() - 1)).startsWith("answered");
            assertThat(log.ends()).isEqualTo(1);
        }
    }

    @Core
    default void aTurnThatFailsSaysSoOnceAndInOneLine() {
        given(Behaviour.FAIL);
        try (Agent agent = factory().create(spec("Be brief."))) {
            EventLog log = new EventLog();
            agent.start(turn("hello"), log);
            workUntil(() -> log.ends() > 0);

            assertThat(log.events()).hasSize(1);
            assertThat(log.events().get(0))
                    .startsWith("failed ")
                    .doesNotContain("\n")
                    .hasSizeGreaterThan(8);
        }
    }

    @Core
    default void anInterruptedTurnSaysSoOnce() {
        given(Behaviour.HANG);
        try (Agent agent = factory().create(spec("Be brief."))) {
            EventLog log = new EventLog();
            AgentRun run = agent.start(turn("hello"), log);
            run.interrupt("new message");
            run.interrupt("once more");
            workUntil(() -> log.ends() > 0);

            assertThat(log.events()).containsExactly("interrupted");
        }
    }

    @Core
    default void anInterruptBehindTheEndDoesNothing() {
        given(Behaviour.ANSWER);
        try (Agent agent = factory().create(spec("Be brief."))) {
            EventLog log = new EventLog();
            AgentRun run = agent.start(turn("hello"), log);
            workUntil(() -> log.ends() > 0);
            run.interrupt("too late");
            EventLog second = new EventLog();
            given(Behaviour.ANSWER);
            agent.start(turn("again"), second);
            workUntil(() -> second.ends() > 0);

            assertThat(log.events()).hasSize(1);
            assertThat(second.events()).hasSize(1);
        }
    }

    @Core
    default void aRunThatHasAskedNothingTakesNoDecisionAndNoAnswer() {
        given(Behaviour.HANG);
        try (Agent agent = factory().create(spec("Be brief."))) {
            EventLog log = new EventLog();
            AgentRun run = agent.start(turn("hello"), log);

            assertThat(run.approve(AgentQuestion.Approval.ONCE))
                    .as("whether a run that has asked nothing takes an approval")
                    .isFalse();
            assertThat(run.deny("no"))
                    .as("whether a run that has asked nothing takes a denial")
                    .isFalse();
            assertThat(run.clarify("blue"))
                    .as("whether a run that has asked nothing takes an answer")
                    .isFalse();
            run.interrupt("enough");
            workUntil(() -> log.ends() > 0);

            assertThat(log.events()).containsExactly("interrupted");
            assertThat(log.questions()).isEmpty();
        }
    }

    @Core
    default void aTurnThatHasEndedTakesNoMoreInput() {
        given(Behaviour.ANSWER);
        try (Agent agent = factory().create(spec("Be brief."))) {
            EventLog log = new EventLog();
            AgentRun run = agent.start(turn("hello"), log);
            workUntil(() -> log.ends() > 0);

            assertThat(run.steer("more")).isFalse();
        }
    }

    @Core
    default void anAgentCanBeReleasedAndClosedMoreThanOnce() {
        Agent agent = factory().create(spec("Be brief."));
        agent.release();
        agent.release();
        agent.close();
        agent.close();

        try (Agent next = factory().create(spec("Be brief."))) {
            assertThat(next).isNotNull();
        }
    }

    @Core
    default void aSummaryEndsOnce() {
        given(Behaviour.ANSWER);
        try (Agent agent = factory().create(spec("Be brief."))) {
            List<String> outcome = new CopyOnWriteArrayList<>();
            agent.summarise(
                    List.of(Message.builder(new MessageId("m"), Role.USER, Content.text("hello"), Instant.EPOCH)
                            .build()),
                    Optional.of("names"),
                    new Agent.SummaryListener() {
                        @Override
                        public void summarised(String summary) {
                            outcome.add("summarised");
                        }

                        @Override
                        public void failed(String why) {
                            outcome.add("failed");
                        }
                    });
            workUntil(() -> !outcome.isEmpty());

            assertThat(outcome).containsExactly("summarised");
        }
    }
}
