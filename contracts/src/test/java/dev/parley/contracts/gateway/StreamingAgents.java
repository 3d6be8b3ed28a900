package dev.parley.contracts.gateway;

import dev.parley.application.agents.SummaryEvents;
import dev.parley.application.port.Agent;
import dev.parley.application.port.AgentAnswer;
import dev.parley.application.port.AgentEvents;
import dev.parley.application.port.AgentFactory;
import dev.parley.application.port.AgentQuestion;
import dev.parley.application.port.AgentRun;
import dev.parley.application.port.AgentSpec;
import dev.parley.application.port.AgentTurn;
import dev.parley.domain.transcript.Content;
import dev.parley.domain.transcript.Message;
import dev.parley.domain.transcript.Reasoning;
import dev.parley.domain.transcript.ToolCall;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/** Agents of which the latest turn says what the test has it say, when the test has it say it. */
final class StreamingAgents implements AgentFactory {
    final List<String> decided = new ArrayList<>();
    final List<AgentTurn> turns = new ArrayList<>();
    final List<String> interrupts = new ArrayList<>();
    int released;

    /** What else an agent does where it begins. */
    Consumer<AgentEvents> starting = events -> {};

    /** Who waits for the latest summary. */
    Optional<Agent.SummaryListener> summary = Optional.empty();

    private Optional<AgentEvents> running = Optional.empty();

    void say(String delta) {
        running.orElseThrow().streamed(delta);
    }

    void answer(String text) {
        answer(AgentAnswer.text(text));
    }

    void answer(AgentAnswer answer) {
        running.orElseThrow().answered(answer);
    }

    void ask(String question) {
        running.orElseThrow().asked(new AgentQuestion(AgentQuestion.Kind.CLARIFICATION, question));
    }

    void ask(AgentQuestion question) {
        running.orElseThrow().asked(question);
    }

    void call(String tool) {
        AgentEvents events = running.orElseThrow();
        events.toolsCalled(Content.text(""), List.of(new ToolCall("c1", tool, "{}")), Reasoning.NONE);
        events.toolAnswered("c1", tool, Content.text("found"));
    }

    /** The events of the latest turn, for what a test reports itself. */
    AgentEvents events() {
        return running.orElseThrow();
    }

    @Override
    public String signature(AgentSpec spec) {
        return "streaming";
    }

    @Override
    public Agent create(AgentSpec spec) {
        return new Agent() {
            @Override
            public AgentRun start(AgentTurn turn, AgentEvents events) {
                turns.add(turn);
                running = Optional.of(events);
                starting.accept(events);
                return new Run(events);
            }

            @Override
            public AgentRun summarise(List<Message> history, Optional<String> focus, SummaryListener done) {
                summary = Optional.of(done);
                return new Run(new SummaryEvents(done));
            }

            @Override
            public void release() {
                released++;
            }

            @Override
            public void close() {}
        };
    }

    @Override
    public String model(AgentSpec spec) {
        return "streaming";
    }

    @Override
    public long contextLength(AgentSpec spec) {
        return 1_000_000;
    }

    private final class Run implements AgentRun {
        private final AgentEvents events;

        Run(AgentEvents events) {
            this.events = events;
        }

        @Override
        public void interrupt(String reason) {
            interrupts.add(reason);
            events.interrupted(AgentAnswer.text(""));
        }

        @Override
        public boolean steer(String text) {
            return false;
        }

        @Override
        public Instant lastActivity() {
            return Instant.EPOCH;
        }

        @Override
        public boolean approve(AgentQuestion.Approval decision) {
            decided.add(decision.name());
            return true;
        }

        @Override
        public boolean clarify(String answer) {
            decided.add(answer);
            return true;
        }

        @Override
        public Optional<String> activity() {
            return Optional.empty();
        }
    }
}
