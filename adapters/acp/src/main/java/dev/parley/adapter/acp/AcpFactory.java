package dev.parley.adapter.acp;

import dev.parley.application.port.Agent;
import dev.parley.application.port.AgentFactory;
import dev.parley.application.port.AgentSpec;
import dev.parley.application.spi.ProviderSettings;

/** Makes agents, each with a process of its own while it works. */
final class AcpFactory implements AgentFactory {
    private final ProviderSettings surroundings;
    private final AcpSettings settings;
    private final KnownSessions sessions;

    AcpFactory(ProviderSettings surroundings, AcpSettings settings) {
        this.surroundings = surroundings;
        this.settings = settings;
        this.sessions = new KnownSessions(surroundings.home().resolve("acp-sessions.json"));
    }

    /** All agents of one program are alike; the prompt is told to each of the program's sessions when it begins. */
    @Override
    public String signature(AgentSpec spec) {
        return settings.toString();
    }

    @Override
    public Agent create(AgentSpec spec) {
        return new AcpAgent(surroundings, settings, sessions);
    }

    @Override
    public String model(AgentSpec spec) {
        return settings.name();
    }

    @Override
    public long contextLength(AgentSpec spec) {
        return 0;
    }
}
