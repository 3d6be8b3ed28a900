package dev.parley.application.spi;

import dev.parley.application.port.AgentFactory;
import java.util.Set;

/** Makes the factory of one kind of agent. Found as a service. */
public interface AgentProvider {
    /** Returns the name by which it is configured, such as {@code echo}. */
    String name();

    /** Returns the names of the settings it reads. */
    Set<String> settings();

    /**
     * Returns the factory; does not block on the network.
     *
     * @throws dev.parley.application.port.InvalidRequest where it is not configured as it must be, naming the setting
     */
    AgentFactory create(ProviderSettings settings);
}
