package dev.parley.bootstrap.wiring;

import dev.parley.application.port.Authorization;
import dev.parley.application.spi.PlatformProvider;
import dev.parley.bootstrap.config.Configuration;
import dev.parley.bootstrap.config.PlatformConfiguration;
import dev.parley.domain.source.Platform;
import dev.parley.home.access.AllowLists;
import dev.parley.home.access.AllowLists.Lists;
import dev.parley.home.access.Pairing;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Who may talk, as configured: {@code platforms.NAME.allow}, and with {@code platforms.NAME.pairing} those whom the operator let in. Without
 * either everybody may. {@code platforms.NAME.allow_admin_from} lists those who may look across chats; without a list nobody may.
 */
public final class ConfiguredAuthorization {
    private ConfiguredAuthorization() {}

    /** Returns the lists of this configuration; nobody else is let in. */
    public static Authorization of(Configuration configuration) {
        return AllowLists.of(lists(configuration));
    }

    /**
     * Returns the lists of this configuration.
     *
     * @param pairing who was let in
     */
    public static Authorization of(Configuration configuration, Pairing pairing) {
        return AllowLists.of(
                lists(configuration),
                pairing,
                (platform, code) -> "I do not know you yet. Ask my operator to let you in, with this command:\n"
                        + "parley pairing approve " + platform.name() + " " + code
                        + "\nThe code is good for one hour.");
    }

    /** Sections that stand for one platform are one. */
    private static Map<Platform, Lists> lists(Configuration configuration) {
        Map<Platform, Lists> lists = new HashMap<>();
        for (PlatformConfiguration section : configuration.platforms().values()) {
            lists.merge(
                    section.platform(),
                    new Lists(section.allow(), section.pairing(), section.admins()),
                    (one, other) -> new Lists(
                            Stream.concat(one.allow().stream(), other.allow().stream())
                                    .toList(),
                            one.pairing() || other.pairing(),
                            Stream.concat(one.admins().stream(), other.admins().stream())
                                    .toList()));
        }
        return lists;
    }

    /** Returns what to do about a platform that anybody in the world can write to and of which nobody said who may talk; else nothing. */
    static Optional<String> missing(PlatformProvider provider, Configuration configuration) {
        String section = provider.section();
        boolean said = Optional.ofNullable(configuration.platforms().get(section))
                .filter(each -> each.pairing() || !each.allow().isEmpty())
                .isPresent();
        return provider.isOpenToTheWorld() && !said
                ? Optional.of("Anybody in the world can write to " + section + ": say who may talk, with platforms."
                        + section + ".allow (their ids, or \"*\" for everybody) or platforms." + section
                        + ".pairing: true (the operator lets them in).")
                : Optional.empty();
    }
}
