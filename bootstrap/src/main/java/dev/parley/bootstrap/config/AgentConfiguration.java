package dev.parley.bootstrap.config;

import java.util.Map;

/**
 * The agent and how it is configured.
 *
 * @param provider the name of the provider
 * @param settings the settings under {@code agents.<provider>}, by name
 */
public record AgentConfiguration(String provider, Map<String, String> settings) {
    public AgentConfiguration {
        settings = Map.copyOf(settings);
    }
}
