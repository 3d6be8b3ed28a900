package dev.parley.home.access;

import dev.parley.application.port.Authorization;
import dev.parley.domain.source.Platform;
import dev.parley.domain.source.SessionSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.stream.Stream;

/**
 * Who may talk, by platform: those on its list, and those whom the operator let in where people are paired there. Everybody may where there
 * is neither, also on platforms that are not named. Safe for concurrent use.
 */
public final class AllowLists implements Authorization {
    private static final String EVERYBODY = "*";
    private static final String CHAT = "chat:";

    private final Map<Platform, Lists> lists;
    private final Optional<Pairing> pairing;
    private final BiFunction<Platform, String, String> invitation;

    /**
     * The lists of one platform.
     *
     * @param allow users by id or stable alternative id, {@code *} for everybody, {@code chat:ID} for everybody in a chat
     * @param pairing whether people on no list are let in by the operator
     * @param admins users that may look across chats
     */
    public record Lists(List<String> allow, boolean pairing, List<String> admins) {
        public Lists {
            allow = List.copyOf(allow);
            admins = List.copyOf(admins);
        }
    }

    private AllowLists(
            Map<Platform, Lists> lists, Optional<Pairing> pairing, BiFunction<Platform, String, String> invitation) {
        this.lists = Map.copyOf(lists);
        this.pairing = pairing;
        this.invitation = invitation;
    }

    /** Returns lists alone: nobody is let in beside those who stand on them. */
    public static AllowLists of(Map<Platform, Lists> lists) {
        return new AllowLists(lists, Optional.empty(), (platform, code) -> "");
    }

    /**
     * Returns lists to which the operator adds people.
     *
     * @param invitation makes what somebody who is on no list is told, of the platform and the code they were given
     */
    public static AllowLists of(
            Map<Platform, Lists> lists, Pairing pairing, BiFunction<Platform, String, String> invitation) {
        return new AllowLists(lists, Optional.of(pairing), invitation);
    }

    @Override
    public boolean mayTalk(SessionSource source) {
        List<String> allowed = of(source).map(Lists::allow).orElse(List.of());
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
        return lists.values().stream().noneMatch(Lists::pairing);
    }

    @Override
    public Optional<String> invitation(SessionSource source) {
        return pairing.filter(book -> pairs(source))
                .flatMap(book -> book.ask(source))
                .map(code -> invitation.apply(source.platform(), code));
    }

    @Override
    public boolean isAdmin(SessionSource source) {
        return of(source).filter(each -> isIn(each.admins(), source)).isPresent();
    }

    private boolean pairs(SessionSource source) {
        return of(source).filter(Lists::pairing).isPresent();
    }

    private Optional<Lists> of(SessionSource source) {
        return Optional.ofNullable(lists.get(source.platform()));
    }

    private static boolean isIn(List<String> users, SessionSource source) {
        return Stream.of(source.userId(), source.userIdAlt())
                .flatMap(Optional::stream)
                .anyMatch(users::contains);
    }
}
