package dev.parley.bootstrap.wiring;

import dev.parley.application.port.Authorization;
import dev.parley.bootstrap.config.Configuration;
import dev.parley.bootstrap.config.PlatformConfiguration;
import dev.parley.domain.source.SessionSource;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * Who may talk, as configured: {@code platforms.NAME.allow} lists users, by id or stable alternative id; without a list everybody
 * may. {@code platforms.NAME.allow_admin_from} lists those who may look across chats; without a list nobody may.
 */
public final class ConfiguredAuthorization implements Authorization {
    private final Configuration configuration;

    /** Reads the lists of this configuration. */
    public ConfiguredAuthorization(Configuration configuration) {
        this.configuration = configuration;
    }

    @Override
    public boolean mayTalk(SessionSource source) {
        List<String> allowed = listed(source, PlatformConfiguration::allow);
        return allowed.isEmpty() || source.roleAuthorized() || isIn(allowed, source);
    }

    @Override
    public boolean isAdmin(SessionSource source) {
        return isIn(listed(source, PlatformConfiguration::admins), source);
    }

    private List<String> listed(SessionSource source, Function<PlatformConfiguration, List<String>> list) {
        return configuration.platforms().values().stream()
                .filter(section -> section.platform().equals(source.platform()))
                .flatMap(section -> list.apply(section).stream())
                .toList();
    }

    private static boolean isIn(List<String> users, SessionSource source) {
        return Stream.of(source.userId(), source.userIdAlt())
                .flatMap(Optional::stream)
                .anyMatch(users::contains);
    }
}
