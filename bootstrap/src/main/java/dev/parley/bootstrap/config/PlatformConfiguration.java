package dev.parley.bootstrap.config;

import dev.parley.domain.context.HomeChannel;
import dev.parley.domain.source.Platform;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * One platform's section.
 *
 * @param section the name of its section in the configuration
 * @param platform the platform behind it, which may be called otherwise
 * @param enabled whether it is to be started; absent where the file does not say
 * @param homeChannel where an operator is told things
 * @param allow users that may talk to the gateway there, {@code *} for everybody, {@code chat:ID} for everybody in a chat; empty
 *     means everybody, unless people are paired
 * @param pairing whether people who are on no list are let in by the operator
 * @param admins users that may look across chats there
 * @param restartNotification whether chats are told of a restart
 * @param settings the settings that its adapter reads, by name
 */
public record PlatformConfiguration(
        String section,
        Platform platform,
        Optional<Boolean> enabled,
        Optional<HomeChannel> homeChannel,
        List<String> allow,
        boolean pairing,
        List<String> admins,
        boolean restartNotification,
        Map<String, String> settings) {
    public PlatformConfiguration {
        allow = List.copyOf(allow);
        admins = List.copyOf(admins);
        settings = Map.copyOf(settings);
    }
}
