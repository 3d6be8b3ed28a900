package dev.parley.spring;

import dev.parley.application.port.AgentFactory;
import java.util.Optional;

/** What Spring AI has for a gateway, asked for once all beans are known: the auto-configurations of its models come after ours. */
@FunctionalInterface
interface ChatClientAgents {
    /** Returns the agents of the application's chat client; absent where the application has no model. */
    Optional<AgentFactory> agents();
}
