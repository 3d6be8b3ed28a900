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
import dev.parley.application.port.InvalidRequest;
import dev.parley.application.port.LifecycleHooks;
import dev.parley.application.port.Timers;
import dev.parley.application.settings.Turns;
import dev.parley.domain.key.SessionKey;
import dev.parley.domain.text.Spans;
import dev.parley.domain.transcript.Content;
import dev.parley.domain.transcript.Message;
import dev.parley.domain.transcript.Reasoning;
import dev.parley.domain.transcript.ToolCall;
import dev.parley.domain.turn.InboundId;
import dev.parley.domain.turn.RunId;
import dev.parley.domain.turn.TurnId;
import dev.parley.domain.usage.TokenUsage;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
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
 * @param settings how long an agent may take to begin, any time where that is not positive, and how much it may say
 */
public record TurnRunner(
        AgentCache cache,
        LifecycleHooks hooks,
        GatewayEvents events,
        Timing timing,
        Executor executor,
        TimedCalls calls,
        Turns settings) {
    private static final AgentFailure TOO_LONG = new AgentFailure(
            AgentFailure.Kind.MODEL,
            "The answer became longer than it may be, so the task was stopped. Please ask for less at a time.",
            TokenUsage.NONE,
            1);

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
        Summary summary = new Summary(spec.lane(), command, sink, running);
        begin(running, spec, -1, agent -> agent.summarise(history, focus, summary), () -> {}, summary::failed);
        return running;
    }

    private void begin(
            RunningAgent running,
            AgentSpec spec,
            long messages,
            Function<Agent, AgentRun> work,
            Runnable begun,
            Consumer<String> failed) {
        Duration limit = settings.start();
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
                            e instanceof InvalidRequest
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

    /** Stops an agent that has said more than it may; before its lane hears of it, so that nobody is given it again. */
    private void stop(SessionKey lane, RunningAgent agent) {
        agent.spoil("The answer became too long");
        events.on(new GatewayEvent.Trouble(
                Optional.of(lane),
                "The agent said more than the " + settings.answerSize()
                        + " characters that agent.max_answer_size allows, and was stopped.",
                Optional.empty()));
    }

    /** Returns what a count says; a report that cannot be counted is its lane's, which says what is wrong with it. */
    private static boolean fits(BooleanSupplier count) {
        try {
            return count.getAsBoolean();
        } catch (RuntimeException e) {
            return true;
        }
    }

    /** Brings a summary to the sink, or that there is none. What comes after one that was too long goes nowhere. */
    private final class Summary implements Agent.SummaryListener {
        private final SessionKey lane;
        private final InboundId command;
        private final Consumer<? super SummaryReport> sink;
        private final RunningAgent agent;
        private final AnswerSize size = new AnswerSize(settings.answerSize());
        private final AtomicBoolean stopped = new AtomicBoolean();

        Summary(SessionKey lane, InboundId command, Consumer<? super SummaryReport> sink, RunningAgent agent) {
            this.lane = lane;
            this.command = command;
            this.sink = sink;
            this.agent = agent;
        }

        private void report(boolean succeeded, String text) {
            if (fits(() -> size.tells(Content.text(text), Reasoning.NONE, List.of()))) {
                sink.accept(new SummaryReport(command, succeeded, text));
            } else {
                tooLong();
            }
        }

        private void tooLong() {
            if (stopped.compareAndSet(false, true)) {
                stop(lane, agent);
                sink.accept(new SummaryReport(command, false, "The summary became longer than it may be."));
            }
        }

        @Override
        public void streamed(String delta) {
            if (!size.streams(delta)) {
                tooLong();
            }
        }

        @Override
        public void summarised(String text) {
            report(true, text);
        }

        @Override
        public void failed(String why) {
            report(false, why);
        }

        @Override
        public void failedWith(AgentFailure failure) {
            tellCause(lane, failure);
            failed(failure.message());
        }
    }

    /** Brings what an agent reports to the sink, as long as that is no more than it may say. */
    private final class Reports implements AgentEvents {
        private final SessionKey lane;
        private final RunId run;
        private final TurnId turn;
        private final TurnSink sink;
        private final RunningAgent agent;
        /** When the tools were called that have not answered, by their calls. Calls for one turn come one at a time. */
        private final Map<String, Instant> called = new ConcurrentHashMap<>();

        private final AnswerSize size = new AnswerSize(settings.answerSize());
        private final AtomicBoolean stopped = new AtomicBoolean();

        Reports(TurnPlan plan, TurnSink sink, RunningAgent agent) {
            this.lane = plan.turn().lane();
            this.run = plan.run();
            this.turn = plan.turn().id();
            this.sink = sink;
            this.agent = agent;
        }

        private void report(boolean fits, TurnReport report) {
            if (agent.isSuperseded()) {
                if (report instanceof TurnReport.Ended) {
                    agent.letGo(-1, true);
                }
            } else if (fits) {
                sink.report(run, report);
            } else if (stopped.compareAndSet(false, true)) {
                stop(lane, agent);
                sink.report(run, new TurnReport.Failed(TOO_LONG));
            }
        }

        @Override
        public void streamed(String delta) {
            report(fits(() -> size.streams(delta)), new TurnReport.Streamed(delta));
        }

        @Override
        public void toolsCalled(Content content, List<ToolCall> calls, Reasoning reasoning) {
            boolean fits = fits(() -> size.tells(content, reasoning, calls));
            if (fits) {
                Instant now = timing.now();
                calls.forEach(call -> called.put(call.id(), now));
            }
            report(fits, new TurnReport.Called(content, calls, reasoning));
        }

        @Override
        public void toolAnswered(String callId, String tool, Content result) {
            Optional<Instant> since = Optional.ofNullable(called.remove(callId));
            boolean fits = fits(() -> size.returns(result, since.isPresent()));
            report(fits, new TurnReport.ToolAnswered(callId, tool, result));
            if (fits && !agent.isSuperseded()) {
                events.on(new GatewayEvent.ToolAnswered(turn, callId, tool, since, timing.now()));
            }
        }

        @Override
        public void asked(AgentQuestion question) {
            report(fits(() -> size.asks(question)), new TurnReport.Asked(question));
        }

        @Override
        public void answered(AgentAnswer answer) {
            report(
                    fits(() -> size.tells(answer.content(), answer.reasoning(), List.of())),
                    new TurnReport.Answered(answer));
        }

        @Override
        public void failed(AgentFailure failure) {
            boolean fits = fits(() -> size.fails(failure));
            if (fits && !agent.isSuperseded()) {
                tellCause(lane, failure);
            }
            report(fits, new TurnReport.Failed(failure));
        }

        @Override
        public void interrupted(AgentAnswer partial) {
            report(
                    fits(() -> size.tells(partial.content(), partial.reasoning(), List.of())),
                    new TurnReport.Interrupted(partial));
        }
    }
}
