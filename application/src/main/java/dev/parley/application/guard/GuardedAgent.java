package dev.parley.application.guard;

import dev.parley.application.port.Agent;
import dev.parley.application.port.AgentEvents;
import dev.parley.application.port.AgentQuestion;
import dev.parley.application.port.AgentRun;
import dev.parley.application.port.AgentTurn;
import dev.parley.domain.key.SessionKey;
import dev.parley.domain.transcript.Message;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * An agent whose failures are exceptions where a run begins or the agent is let go of, and harmless while a run goes on.
 *
 * @param agent the agent
 * @param lane its lane
 * @param guard tells its failures
 */
record GuardedAgent(Agent agent, SessionKey lane, Guard guard) implements Agent {
    private static final String NAME = "The agent";

    @Override
    public AgentRun start(AgentTurn turn, AgentEvents events) {
        return new GuardedRun(Guard.unchecked(NAME, () -> agent.start(turn, events)), lane, guard);
    }

    @Override
    public AgentRun summarise(List<Message> history, Optional<String> focus, SummaryListener done) {
        return new GuardedRun(Guard.unchecked(NAME, () -> agent.summarise(history, focus, done)), lane, guard);
    }

    @Override
    public void release() {
        Guard.unchecked(NAME, agent::release);
    }

    @Override
    public void close() {
        Guard.unchecked(NAME, agent::close);
    }

    /** A run that can be asked anything without harm. */
    private record GuardedRun(AgentRun run, SessionKey lane, Guard guard) implements AgentRun {
        private static final String FAILED = "The running agent failed when it was asked something.";

        @Override
        public void interrupt(String reason) {
            guard.run(Optional.of(lane), FAILED, () -> run.interrupt(reason));
        }

        @Override
        public boolean steer(String text) {
            return guard.get(Optional.of(lane), FAILED, () -> run.steer(text), false);
        }

        @Override
        public Instant lastActivity() {
            return guard.get(Optional.of(lane), FAILED, run::lastActivity, Instant.EPOCH);
        }

        @Override
        public boolean approve(AgentQuestion.Approval decision) {
            return guard.get(Optional.of(lane), FAILED, () -> run.approve(decision), false);
        }

        @Override
        public boolean deny(String reason) {
            return guard.get(Optional.of(lane), FAILED, () -> run.deny(reason), false);
        }

        @Override
        public boolean clarify(String answer) {
            return guard.get(Optional.of(lane), FAILED, () -> run.clarify(answer), false);
        }

        @Override
        public Optional<Engagement> engagement() {
            return guard.get(Optional.of(lane), FAILED, run::engagement, Optional.empty());
        }

        @Override
        public Optional<String> activity() {
            return guard.get(Optional.of(lane), FAILED, run::activity, Optional.empty());
        }
    }
}
