package dev.parley.spring;

import dev.parley.application.port.Authorization;
import dev.parley.domain.source.Platform;
import dev.parley.domain.source.SessionSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Who may talk, by platform: users by id or stable alternative id, {@code *} for everybody, {@code chat:ID} for everybody in a chat; everybody
 * where there is no list. Who is on the list of admins may look across chats.
 */
record AllowLists(Map<Platform, Lists> lists) implements Authorization {
    private static final String EVERYBODY = "*";
    private static final String CHAT = "chat:";

    /** The lists of one platform. */
    record Lists(List<String> allow, List<String> admins) {
        Lists {
            allow = List.copyOf(allow);
            admins = List.copyOf(admins);
        }
    }

    AllowLists {
        lists = Map.copyOf(lists);
    }

    @Override
    public boolean neverBlocks() {
        return true;
    }

    @Override
    public boolean mayTalk(SessionSource source) {
        List<String> allowed = of(source).map(Lists::allow).orElse(List.of());
        return allowed.isEmpty()
                || allowed.contains(EVERYBODY)
                || source.roleAuthorized()
                || isIn(allowed, source)
                || allowed.contains(CHAT + source.chatId())
                || source.parentChatId()
                        .map(CHAT::concat)
                        .filter(allowed::contains)
                        .isPresent();
    }

    @Override
    public boolean isAdmin(SessionSource source) {
        return of(source).filter(each -> isIn(each.admins(), source)).isPresent();
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
