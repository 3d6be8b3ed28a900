package dev.parley.application.guard;

import dev.parley.application.port.Agent;
import dev.parley.application.port.AgentFactory;
import dev.parley.application.port.AgentSpec;
import java.util.Optional;

/**
 * A factory of guarded agents: what it or they throw where something begins is an exception, and everywhere else is told and
 * harmless.
 *
 * @param factory makes the agents
 * @param guard tells their failures
 */
public record GuardedAgents(AgentFactory factory, Guard guard) implements AgentFactory {
    private static final String NAME = "The agents' factory";

    @Override
    public String signature(AgentSpec spec) {
        return Guard.unchecked(NAME, () -> factory.signature(spec));
    }

    @Override
    public Agent create(AgentSpec spec) {
        return new GuardedAgent(Guard.unchecked(NAME, () -> factory.create(spec)), spec.lane(), guard);
    }

    @Override
    public String model(AgentSpec spec) {
        return guard.get(
                Optional.of(spec.lane()), "The agent does not say its model.", () -> factory.model(spec), "unknown");
    }

    @Override
    public long contextLength(AgentSpec spec) {
        return guard.get(
                Optional.of(spec.lane()),
                "The agent does not say how much its model reads.",
                () -> factory.contextLength(spec),
                0L);
    }
}
