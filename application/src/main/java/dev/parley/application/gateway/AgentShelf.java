package dev.parley.application.gateway;

import dev.parley.application.port.Agent;
import dev.parley.application.port.AgentFactory;
import dev.parley.application.port.AgentSpec;
import dev.parley.domain.key.SessionKey;

/** Where lanes take their agents from and put them back. Safe for concurrent use. */
final class AgentShelf {
    private final AgentFactory agents;

    AgentShelf(AgentFactory agents) {
        this.agents = agents;
    }

    /** Returns an agent for a run; {@code messages} is how many messages its session has, negative where that does not matter. */
    Agent take(AgentSpec spec, long messages) {
        return agents.create(spec);
    }

    /** Takes back an agent whose run has ended; {@code interrupted} where it must not be used again (Q8.33). */
    void putBack(SessionKey lane, Agent agent, boolean interrupted) {
        agent.release();
    }

    /** Lets go of the lane's agent, whose session may go on. */
    void release(SessionKey lane) {}

    /** Closes the lane's agent, whose session is over. */
    void close(SessionKey lane) {}

    /** Closes every agent. */
    void closeAll() {}
}
