package dev.parley.application.turn;

import dev.parley.application.actor.Timing;
import dev.parley.application.agents.AgentCache;
import dev.parley.application.guard.TimedCalls;
import dev.parley.application.port.Agent;
import dev.parley.application.port.AgentAnswer;
import dev.parley.application.port.AgentEvents;
import dev.parley.application.port.AgentFailure;
import dev.parley.application.port.AgentQuestion;
import dev.parley.application.port.AgentRun;
import dev.parley.application.port.AgentSpec;
import dev.parley.application.port.GatewayEvent;
import dev.parley.application.port.GatewayEvents;
import dev.parley.application.port.LifecycleHooks;
import dev.parley.application.port.ParleyException;
import dev.parley.application.port.Timers;
import dev.parley.domain.key.SessionKey;
import dev.parley.domain.text.Spans;
import dev.parley.domain.transcript.Content;
import dev.parley.domain.transcript.Message;
import dev.parley.domain.transcript.Reasoning;
import dev.parley.domain.transcript.ToolCall;
import dev.parley.domain.turn.InboundId;
import dev.parley.domain.turn.RunId;
import dev.parley.domain.turn.TurnId;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * Has agents from the cache work: on turns, and on summaries. Making an agent, asking hooks and beginning happen as a task of their own,
 * so that the lane does not wait for them; an agent that takes too long to begin is given up, and let go of should it begin
 * after all. What agents report goes to a sink; what they report after they were superseded goes nowhere.
 *
 * @param cache keeps the agents
 * @param hooks add messages to runs
 * @param events told of turns that begin, and of failures
 * @param timing time
 * @param executor has agents begin
 * @param calls ask agents to end
 * @param limit how long an agent may take to begin; any time where it is not positive
 */
public record TurnRunner(
        AgentCache cache,
        LifecycleHooks hooks,
        GatewayEvents events,
        Timing timing,
        Executor executor,
        TimedCalls calls,
        Duration limit) {
    /** Has an agent begin a turn; that it has begun, or has not, is reported like everything else. Returns at once. */
    public RunningAgent start(TurnPlan plan, TurnPreparation.Prepared prepared, TurnSink sink) {
        RunningAgent running =
                new RunningAgent(cache, calls, timing, plan.turn().lane(), prepared.messages());
        begin(
                running,
                prepared.spec(),
                prepared.messages(),
                agent -> {
                    List<Message> injected = hooks.beforeRun(plan.turn().lane(), plan.session(), plan.input());
                    events.on(new GatewayEvent.TurnStarted(
                            plan.turn().lane(),
                            plan.session(),
                            plan.turn().id(),
                            plan.text(),
                            prepared.notes(),
                            prepared.counted()));
                    return agent.start(prepared.turn().injecting(injected), new Reports(plan, sink, running));
                },
                () -> sink.report(plan.run(), new TurnReport.Begun()),
                why -> sink.report(plan.run(), new TurnReport.NotBegun(why)));
        return running;
    }

    /**
     * Has an agent begin a summary; returns at once.
     *
     * @param command the command it is asked for
     * @param sink takes the summary, or that there is none, from any thread
     */
    public RunningAgent summarise(
            AgentSpec spec,
            InboundId command,
            List<Message> history,
            Optional<String> focus,
            Consumer<? super SummaryReport> sink) {
        RunningAgent running = new RunningAgent(cache, calls, timing, spec.lane(), -1);
        Consumer<String> failed = why -> sink.accept(new SummaryReport(command, false, why));
        begin(
                running,
                spec,
                -1,
                agent -> agent.summarise(history, focus, new Agent.SummaryListener() {
                    @Override
                    public void summarised(String text) {
                        sink.accept(new SummaryReport(command, true, text));
                    }

                    @Override
                    public void failed(String why) {
                        failed.accept(why);
                    }

                    @Override
                    public void failedWith(AgentFailure failure) {
                        tellCause(spec.lane(), failure);
                        failed.accept(failure.message());
                    }
                }),
                () -> {},
                failed);
        return running;
    }

    private void begin(
            RunningAgent running,
            AgentSpec spec,
            long messages,
            Function<Agent, AgentRun> work,
            Runnable begun,
            Consumer<String> failed) {
        Timers.Timer deadline = limit.isZero() || limit.isNegative()
                ? () -> {}
                : timing.after(limit, () -> {
                    if (running.giveUpStart()) {
                        String why = "The agent did not begin within " + Spans.inFull(limit) + ".";
                        tell(spec, new TimeoutException(why));
                        failed.accept(why);
                    }
                });
        Runnable beginning = () -> {
            try {
                running.begin(cache.take(spec, messages), work);
            } catch (Throwable e) {
                tell(spec, e);
                if (!running.isSuperseded()) {
                    failed.accept(
                            e instanceof ParleyException
                                    ? String.valueOf(e.getMessage())
                                    : "The agent could not begin.");
                }
                return;
            } finally {
                deadline.cancel();
            }
            begun.run();
        };
        try {
            executor.execute(beginning);
        } catch (RejectedExecutionException e) {
            deadline.cancel();
            tell(spec, e);
            failed.accept("The gateway has ended.");
        }
    }

    private void tell(AgentSpec spec, Throwable failure) {
        events.on(
                new GatewayEvent.Trouble(Optional.of(spec.lane()), "The agent could not begin.", Optional.of(failure)));
    }

    private void tellCause(SessionKey lane, AgentFailure failure) {
        failure.cause()
                .ifPresent(cause -> events.on(
                        new GatewayEvent.Trouble(Optional.of(lane), "The agent failed.", Optional.of(cause))));
    }

    /** Brings what an agent reports to the sink. */
    private final class Reports implements AgentEvents {
        private final SessionKey lane;
        private final RunId run;
        private final TurnId turn;
        private final TurnSink sink;
        private final RunningAgent agent;
        /** When the tools were called that have not answered, by their calls. Calls for one turn come one at a time. */
        private final Map<String, Instant> called = new ConcurrentHashMap<>();

        Reports(TurnPlan plan, TurnSink sink, RunningAgent agent) {
            this.lane = plan.turn().lane();
            this.run = plan.run();
            this.turn = plan.turn().id();
            this.sink = sink;
            this.agent = agent;
        }

        private void report(TurnReport report) {
            if (!agent.isSuperseded()) {
                sink.report(run, report);
            } else if (report instanceof TurnReport.Ended) {
                agent.letGo(-1, true);
            }
        }

        @Override
        public void streamed(String delta) {
            report(new TurnReport.Streamed(delta));
        }

        @Override
        public void toolsCalled(Content content, List<ToolCall> calls, Reasoning reasoning) {
            Instant now = timing.now();
            calls.forEach(call -> called.put(call.id(), now));
            report(new TurnReport.Called(content, calls, reasoning));
        }

        @Override
        public void toolAnswered(String callId, String tool, Content result) {
            report(new TurnReport.ToolAnswered(callId, tool, result));
            Optional<Instant> since = Optional.ofNullable(called.remove(callId));
            if (!agent.isSuperseded()) {
                events.on(new GatewayEvent.ToolAnswered(turn, callId, tool, since, timing.now()));
            }
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
            if (!agent.isSuperseded()) {
                tellCause(lane, failure);
            }
            report(new TurnReport.Failed(failure));
        }

        @Override
        public void interrupted(AgentAnswer partial) {
            report(new TurnReport.Interrupted(partial));
        }
    }
}
