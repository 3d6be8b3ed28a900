package dev.parley.adapter.echo;

import dev.parley.application.port.Agent;
import dev.parley.application.port.AgentFactory;
import dev.parley.application.port.AgentSpec;
import dev.parley.application.spi.ProviderSettings;
import java.time.Duration;

/** Makes echo agents; they are all alike, so one may always be used again. */
final class EchoFactory implements AgentFactory {
    private final ProviderSettings settings;
    private final Duration delay;

    EchoFactory(ProviderSettings settings, Duration delay) {
        this.settings = settings;
        this.delay = delay;
    }

    @Override
    public String signature(AgentSpec spec) {
        return EchoAgent.NAME + " " + delay;
    }

    @Override
    public Agent create(AgentSpec spec) {
        return new EchoAgent(settings, delay);
    }

    @Override
    public String model(AgentSpec spec) {
        return EchoAgent.NAME;
    }

    @Override
    public long contextLength(AgentSpec spec) {
        return 0;
    }
}
