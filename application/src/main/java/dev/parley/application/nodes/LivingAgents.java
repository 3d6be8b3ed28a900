package dev.parley.application.nodes;

import dev.parley.application.guard.TimedCalls;
import dev.parley.application.port.Agent;
import dev.parley.application.port.AgentAnswer;
import dev.parley.application.port.AgentEvents;
import dev.parley.application.port.AgentFactory;
import dev.parley.application.port.AgentFailure;
import dev.parley.application.port.AgentQuestion;
import dev.parley.application.port.AgentRun;
import dev.parley.application.port.AgentSpec;
import dev.parley.application.port.AgentTurn;
import dev.parley.application.port.StorageUnavailable;
import dev.parley.domain.key.SessionKey;
import dev.parley.domain.transcript.Content;
import dev.parley.domain.transcript.Message;
import dev.parley.domain.transcript.Reasoning;
import dev.parley.domain.transcript.ToolCall;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Agents that begin nothing once others may work on their lanes, and that can all be asked to end at once, whatever their lanes wait
 * for: each beside the others and with a deadline, so that one that throws or hangs there keeps nobody. Safe for concurrent
 * use. Not part of the API: the gateway makes it.
 */
public final class LivingAgents implements AgentFactory {
    private final AgentFactory agents;
    private final Membership nodes;
    private final TimedCalls calls;
    private final Set<Work> working = ConcurrentHashMap.newKeySet();

    /** Makes these agents, as long as the gateway is alive; {@code calls} ask them to end. */
    public LivingAgents(AgentFactory agents, Membership nodes, TimedCalls calls) {
        this.agents = agents;
        this.nodes = nodes;
        this.calls = calls;
    }

    /** Asks every agent that works to end; returns at once. */
    public void interrupt(String reason) {
        working.forEach(work -> work.interrupt(reason));
    }

    @Override
    public String signature(AgentSpec spec) {
        return agents.signature(spec);
    }

    @Override
    public Agent create(AgentSpec spec) {
        return new Living(agents.create(spec), spec.lane());
    }

    @Override
    public String model(AgentSpec spec) {
        return agents.model(spec);
    }

    @Override
    public long contextLength(AgentSpec spec) {
        return agents.contextLength(spec);
    }

    /** Something that an agent works on; it may be asked to end before it is known how. */
    private final class Work {
        private final SessionKey lane;
        private Optional<AgentRun> run = Optional.empty();
        private Optional<String> reason = Optional.empty();

        Work(SessionKey lane) {
            this.lane = lane;
        }

        AgentRun begun(AgentRun begun) {
            Optional<String> why;
            synchronized (this) {
                run = Optional.of(begun);
                why = reason;
            }
            why.ifPresent(known -> interrupt(begun, known));
            return begun;
        }

        void interrupt(String why) {
            Optional<AgentRun> begun;
            synchronized (this) {
                reason = Optional.of(why);
                begun = run;
            }
            begun.ifPresent(known -> interrupt(known, why));
        }

        private void interrupt(AgentRun begun, String why) {
            calls.run(Optional.of(lane), "The running agent could not be asked to end.", () -> begun.interrupt(why));
        }
    }

    private Work begin(SessionKey lane) {
        Work work = new Work(lane);
        working.add(work);
        if (!nodes.isAlive()) {
            working.remove(work);
            throw new StorageUnavailable(
                    "This node has not reached the database for too long, so another one may do this turn.", null);
        }
        return work;
    }

    private final class Living implements Agent {
        private final Agent agent;
        private final SessionKey lane;

        Living(Agent agent, SessionKey lane) {
            this.agent = agent;
            this.lane = lane;
        }

        @Override
        public AgentRun start(AgentTurn turn, AgentEvents events) {
            Work work = begin(lane);
            boolean begun = false;
            try {
                AgentRun run = work.begun(agent.start(turn, new Watched(events, () -> working.remove(work))));
                begun = true;
                return run;
            } finally {
                if (!begun) {
                    working.remove(work);
                }
            }
        }

        @Override
        public AgentRun summarise(List<Message> history, Optional<String> focus, SummaryListener done) {
            Work work = begin(lane);
            boolean begun = false;
            try {
                AgentRun run = work.begun(agent.summarise(history, focus, new SummaryListener() {
                    @Override
                    public void streamed(String delta) {
                        done.streamed(delta);
                    }

                    @Override
                    public void summarised(String summary) {
                        working.remove(work);
                        done.summarised(summary);
                    }

                    @Override
                    public void failed(String why) {
                        working.remove(work);
                        done.failed(why);
                    }

                    @Override
                    public void failedWith(AgentFailure failure) {
                        working.remove(work);
                        done.failedWith(failure);
                    }
                }));
                begun = true;
                return run;
            } finally {
                if (!begun) {
                    working.remove(work);
                }
            }
        }

        @Override
        public void release() {
            agent.release();
        }

        @Override
        public void close() {
            agent.close();
        }
    }

    /** Tells when a turn has ended, whoever is told what. */
    private record Watched(AgentEvents events, Runnable ended) implements AgentEvents {
        @Override
        public void streamed(String delta) {
            events.streamed(delta);
        }

        @Override
        public void toolsCalled(Content content, List<ToolCall> calls, Reasoning reasoning) {
            events.toolsCalled(content, calls, reasoning);
        }

        @Override
        public void toolAnswered(String callId, String tool, Content result) {
            events.toolAnswered(callId, tool, result);
        }

        @Override
        public void asked(AgentQuestion question) {
            events.asked(question);
        }

        @Override
        public void answered(AgentAnswer answer) {
            ended.run();
            events.answered(answer);
        }

        @Override
        public void failed(AgentFailure failure) {
            ended.run();
            events.failed(failure);
        }

        @Override
        public void interrupted(AgentAnswer partial) {
            ended.run();
            events.interrupted(partial);
        }
    }
}
