package dev.parley.adapter.openai;

import dev.parley.application.port.AgentFactory;
import dev.parley.application.spi.AgentProvider;
import dev.parley.application.spi.ProviderSettings;
import java.util.Set;

/** Makes agents that ask an OpenAI-compatible server. */
public final class OpenAiProvider implements AgentProvider {
    static final String NAME = "openai";

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public Set<String> settings() {
        return OpenAiSettings.NAMES;
    }

    @Override
    public AgentFactory create(ProviderSettings settings) {
        return new OpenAiFactory(settings, OpenAiSettings.of(settings));
    }
}
