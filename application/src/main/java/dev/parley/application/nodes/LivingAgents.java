package dev.parley.application.nodes;

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
 * for. Safe for concurrent use.
 */
public final class LivingAgents implements AgentFactory {
    private final AgentFactory agents;
    private final Membership nodes;
    private final Set<Work> working = ConcurrentHashMap.newKeySet();

    /** Makes these agents, as long as the gateway is alive. */
    public LivingAgents(AgentFactory agents, Membership nodes) {
        this.agents = agents;
        this.nodes = nodes;
    }

    /** Asks every agent that works to end. */
    public void interrupt(String reason) {
        working.forEach(work -> work.interrupt(reason));
    }

    @Override
    public String signature(AgentSpec spec) {
        return agents.signature(spec);
    }

    @Override
    public Agent create(AgentSpec spec) {
        return new Living(agents.create(spec));
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
    private static final class Work {
        private Optional<AgentRun> run = Optional.empty();
        private Optional<String> reason = Optional.empty();

        synchronized AgentRun begun(AgentRun begun) {
            run = Optional.of(begun);
            reason.ifPresent(begun::interrupt);
            return begun;
        }

        synchronized void interrupt(String why) {
            reason = Optional.of(why);
            run.ifPresent(begun -> begun.interrupt(why));
        }
    }

    private Work begin() {
        Work work = new Work();
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

        Living(Agent agent) {
            this.agent = agent;
        }

        @Override
        public AgentRun start(AgentTurn turn, AgentEvents events) {
            Work work = begin();
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
            Work work = begin();
            boolean begun = false;
            try {
                AgentRun run = work.begun(agent.summarise(history, focus, new SummaryListener() {
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
