package dev.parley.adapter.acp;

import dev.parley.application.port.AgentFactory;
import dev.parley.application.spi.AgentProvider;
import dev.parley.application.spi.ProviderSettings;
import java.util.Set;

/** Makes agents that are programs. */
public final class AcpProvider implements AgentProvider {
    /** Needed to be found as a service. */
    public AcpProvider() {}

    @Override
    public String name() {
        return "acp";
    }

    @Override
    public Set<String> settings() {
        return AcpSettings.NAMES;
    }

    @Override
    public AgentFactory create(ProviderSettings settings) {
        return new AcpFactory(settings, AcpSettings.of(settings));
    }
}
