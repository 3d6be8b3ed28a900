package dev.parley.application.port;

/** Makes agents. Safe for concurrent use. */
public interface AgentFactory {
    /** Returns what must stay equal for an agent to be used again: a digest of everything it is built from (A11.3). */
    String signature(AgentSpec spec);

    /**
     * Returns a new agent; does not block on the network.
     *
     * @throws InvalidRequest where it is not configured
     */
    Agent create(AgentSpec spec);

    /** Returns the model's name, for display. */
    String model(AgentSpec spec);

    /** Returns the size of the model's context in tokens, or 0 where it is not known. */
    long contextLength(AgentSpec spec);
}
