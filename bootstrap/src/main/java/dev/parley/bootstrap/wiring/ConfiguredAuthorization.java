package dev.parley.bootstrap.wiring;

import dev.parley.application.port.Authorization;
import dev.parley.application.spi.PlatformProvider;
import dev.parley.bootstrap.config.Configuration;
import dev.parley.bootstrap.config.PlatformConfiguration;
import dev.parley.bootstrap.pairing.Pairing;
import dev.parley.domain.source.SessionSource;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Who may talk, as configured: {@code platforms.NAME.allow} lists users, by id or stable alternative id, {@code *} for everybody, and
 * {@code chat:ID} for everybody in a chat. With {@code platforms.NAME.pairing} those whom the operator let in may talk too. Without
 * either everybody may. {@code platforms.NAME.allow_admin_from} lists those who may look across chats; without a list nobody may.
 */
public final class ConfiguredAuthorization implements Authorization {
    private static final String EVERYBODY = "*";
    private static final String CHAT = "chat:";

    private final Configuration configuration;
    private final Optional<Pairing> pairing;

    /** Reads the lists of this configuration; nobody else is let in. */
    public ConfiguredAuthorization(Configuration configuration) {
        this(configuration, Optional.empty());
    }

    /**
     * Reads the lists of this configuration.
     *
     * @param pairing who was let in
     */
    public ConfiguredAuthorization(Configuration configuration, Pairing pairing) {
        this(configuration, Optional.of(pairing));
    }

    private ConfiguredAuthorization(Configuration configuration, Optional<Pairing> pairing) {
        this.configuration = configuration;
        this.pairing = pairing;
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

    @Override
    public boolean mayTalk(SessionSource source) {
        List<String> allowed =
                sections(source).flatMap(section -> section.allow().stream()).toList();
        boolean pairs = pairs(source);
        if (allowed.isEmpty() && !pairs) {
            return true;
        }
        return allowed.contains(EVERYBODY)
                || source.roleAuthorized()
                || isIn(allowed, source)
                || allowed.contains(CHAT + source.chatId())
                || source.parentChatId()
                        .map(CHAT::concat)
                        .filter(allowed::contains)
                        .isPresent()
                || (pairs && pairing.filter(book -> book.isPaired(source)).isPresent());
    }

    /** Those whom the operator let in stand in a file. */
    @Override
    public boolean neverBlocks() {
        return configuration.platforms().values().stream().noneMatch(PlatformConfiguration::pairing);
    }

    @Override
    public Optional<String> invitation(SessionSource source) {
        return pairing.filter(book -> pairs(source))
                .flatMap(book -> book.ask(source))
                .map(code -> "I do not know you yet. Ask my operator to let you in, with this command:\n"
                        + "parley pairing approve " + source.platform().name() + " " + code
                        + "\nThe code is good for one hour.");
    }

    @Override
    public boolean isAdmin(SessionSource source) {
        return isIn(
                sections(source).flatMap(section -> section.admins().stream()).toList(), source);
    }

    private boolean pairs(SessionSource source) {
        return sections(source).anyMatch(PlatformConfiguration::pairing);
    }

    private Stream<PlatformConfiguration> sections(SessionSource source) {
        return configuration.platforms().values().stream()
                .filter(section -> section.platform().equals(source.platform()));
    }

    private static boolean isIn(List<String> users, SessionSource source) {
        return Stream.of(source.userId(), source.userIdAlt())
                .flatMap(Optional::stream)
                .anyMatch(users::contains);
    }
}
