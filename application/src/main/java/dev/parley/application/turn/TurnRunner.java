package dev.parley.application.turn;

import dev.parley.application.agents.AgentCache;
import dev.parley.application.port.Agent;
import dev.parley.application.port.AgentAnswer;
import dev.parley.application.port.AgentEvents;
import dev.parley.application.port.AgentFailure;
import dev.parley.application.port.AgentQuestion;
import dev.parley.application.port.AgentRun;
import dev.parley.application.port.AgentSpec;
import dev.parley.application.port.GatewayEvent;
import dev.parley.application.port.GatewayEvents;
import dev.parley.domain.transcript.Content;
import dev.parley.domain.transcript.Message;
import dev.parley.domain.transcript.Reasoning;
import dev.parley.domain.transcript.ToolCall;
import dev.parley.domain.turn.InboundId;
import dev.parley.domain.turn.RunId;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Has agents from the cache work: on turns, and on summaries. What they report goes to a sink; what they report after they were
 * superseded goes nowhere.
 *
 * @param cache keeps the agents
 * @param events told of turns that begin
 */
public record TurnRunner(AgentCache cache, GatewayEvents events) {
    /**
     * Has an agent begin a turn.
     *
     * @throws RuntimeException what the agent says to it
     */
    public RunningAgent start(TurnPlan plan, TurnPreparation.Prepared prepared, TurnSink sink) {
        Agent agent = cache.take(prepared.spec(), prepared.messages());
        Reports reports = new Reports(plan.run(), sink);
        try {
            events.on(new GatewayEvent.TurnStarted(
                    plan.turn().lane(),
                    plan.session(),
                    plan.turn().id(),
                    plan.text(),
                    prepared.notes(),
                    prepared.counted()));
            AgentRun run = agent.start(prepared.turn(), reports);
            RunningAgent running = new RunningAgent(cache, agent, run, prepared.messages());
            reports.of(running);
            return running;
        } catch (RuntimeException e) {
            cache.putBack(agent, -1, true);
            throw e;
        }
    }

    /**
     * Has an agent begin a summary.
     *
     * @param command the command it is asked for
     * @throws RuntimeException what the agent says to it
     */
    public RunningAgent summarise(
            AgentSpec spec, InboundId command, List<Message> history, Optional<String> focus, TurnSink sink) {
        Agent agent = cache.take(spec, -1);
        try {
            AgentRun run = agent.summarise(history, focus, new Agent.SummaryListener() {
                @Override
                public void summarised(String text) {
                    sink.summarised(new SummaryReport(command, true, text));
                }

                @Override
                public void failed(String why) {
                    sink.summarised(new SummaryReport(command, false, why));
                }
            });
            return new RunningAgent(cache, agent, run, -1);
        } catch (RuntimeException e) {
            cache.putBack(agent, -1, true);
            throw e;
        }
    }

    /** Brings what an agent reports to the sink. */
    private static final class Reports implements AgentEvents {
        private final RunId run;
        private final TurnSink sink;
        private final AtomicReference<@Nullable RunningAgent> agent = new AtomicReference<>();

        Reports(RunId run, TurnSink sink) {
            this.run = run;
            this.sink = sink;
        }

        void of(RunningAgent running) {
            agent.set(running);
        }

        private void report(TurnReport report) {
            RunningAgent mine = agent.get();
            if (mine == null || !mine.isSuperseded()) {
                sink.report(run, report);
            } else if (report instanceof TurnReport.Ended) {
                mine.letGo(-1, true);
            }
        }

        @Override
        public void streamed(String delta) {
            report(new TurnReport.Streamed(delta));
        }

        @Override
        public void toolsCalled(Content content, List<ToolCall> calls, Reasoning reasoning) {
            report(new TurnReport.Called(content, calls, reasoning));
        }

        @Override
        public void toolAnswered(String callId, String tool, Content result) {
            report(new TurnReport.ToolAnswered(callId, tool, result));
        }

        @Override
        public void asked(AgentQuestion question) {
            report(new TurnReport.Asked(question));
        }

        @Override
        public void answered(AgentAnswer answer) {
            report(new TurnReport.Answered(answer));
        }

        @Override
        public void failed(AgentFailure failure) {
            report(new TurnReport.Failed(failure));
        }

        @Override
        public void interrupted(AgentAnswer partial) {
            report(new TurnReport.Interrupted(partial));
        }
    }
}
