package dev.parley.domain.source;

import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/** Seeded sources whose ids are made of the characters that keys and dictionaries could stumble over. */
public final class RandomSources {
    private static final List<String> PIECES = List.of(
            "%",
            ":",
            ".",
            "..",
            "/",
            "\\",
            "a",
            "A",
            "1",
            "2E",
            "3A",
            "25",
            "%3A",
            "%2E",
            "é",
            "😀",
            " ",
            "@",
            "+",
            "-",
            "_",
            "\n",
            "!r:ex.org",
            "dm",
            "main",
            "agent",
            "null",
            "None");
    private static final List<Platform> PLATFORMS =
            List.of(Platform.TELEGRAM, Platform.DISCORD, Platform.MATRIX, Platform.LOCAL, Platform.WHATSAPP_CLOUD);
    private static final List<ChatType> TYPES =
            List.of(ChatType.DM, ChatType.GROUP, ChatType.CHANNEL, ChatType.THREAD, ChatType.of("a:b%"));

    private final Random random;

    public RandomSources(Random random) {
        this.random = random;
    }

    /** A source of any platform but WhatsApp, with each optional component present or not. */
    public SessionSource next() {
        return SessionSource.builder(pick(PLATFORMS), random.nextInt(4) == 0 ? "" : id())
                .chatName(idOrNull())
                .chatType(pick(TYPES))
                .userId(idOrNull())
                .userName(idOrNull())
                .threadId(idOrNull())
                .chatTopic(idOrNull())
                .userIdAlt(idOrNull())
                .chatIdAlt(idOrNull())
                .isBot(random.nextBoolean())
                .scopeId(idOrNull())
                .parentChatId(idOrNull())
                .messageId(idOrNull())
                .roleAuthorized(random.nextBoolean())
                .profile(idOrNull())
                .autoThreadCreated(random.nextBoolean())
                .autoThreadInitialName(idOrNull())
                .deliveredViaUpstreamRelay(random.nextBoolean())
                .build();
    }

    /** A text of one to four awkward pieces. */
    public String id() {
        StringBuilder id = new StringBuilder();
        for (int pieces = 1 + random.nextInt(4); pieces > 0; pieces--) {
            id.append(pick(PIECES));
        }
        return id.toString();
    }

    private @Nullable String idOrNull() {
        return random.nextBoolean() ? id() : null;
    }

    private <T> T pick(List<T> from) {
        return from.get(random.nextInt(from.size()));
    }
}
