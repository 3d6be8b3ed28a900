package dev.parley.application.command;

import dev.parley.application.port.AgentFactory;
import dev.parley.application.port.Ids;
import dev.parley.application.settings.Chat;
import dev.parley.domain.key.KeyRules;
import dev.parley.domain.source.Platform;
import java.time.ZoneId;
import java.util.List;

/**
 * The gateway around a command.
 *
 * @param zone its zone
 * @param rules how lanes are told apart
 * @param ids chance, for new ids
 * @param agents makes agents; for model names and context sizes
 * @param settings what people may do in a chat
 * @param connected the platforms that are able to send, in order
 * @param commands all commands of the gateway, by name
 * @param stopping whether the gateway is stopping
 */
public record Surroundings(
        ZoneId zone,
        KeyRules rules,
        Ids ids,
        AgentFactory agents,
        Chat settings,
        List<Platform> connected,
        List<CommandHelp> commands,
        boolean stopping) {
    public Surroundings {
        connected = List.copyOf(connected);
        commands = List.copyOf(commands);
    }
}
