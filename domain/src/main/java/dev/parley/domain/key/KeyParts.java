package dev.parley.domain.key;

import dev.parley.domain.source.ChatType;
import dev.parley.domain.source.Platform;
import java.util.List;
import java.util.Optional;

/**
 * What a session key alone tells about its chat: the last resort when no origin is stored (K5.13).
 *
 * @param platform the platform
 * @param chatType the kind of chat
 * @param chatId the chat; for a direct message without a chat, its participant
 * @param threadId the thread, known for direct messages and threads only: elsewhere the same place may hold a user
 */
public record KeyParts(Platform platform, ChatType chatType, String chatId, Optional<String> threadId) {
    private static final int CHAT = 4;
    private static final int THREAD = 5;
    private static final int LONGEST_DM = 6;
    private static final int LONGEST = 7;

    /**
     * The parts of a key, decoded. Empty if it does not start with {@code agent:main}, has no chat, or has more segments
     * than the format allows, as then an id holds unencoded colons and cannot be told from its neighbours.
     */
    public static Optional<KeyParts> parse(SessionKey key) {
        List<String> segments = List.of(key.value().split(Segments.SEPARATOR, -1));
        if (segments.size() <= CHAT
                || !segments.get(0).equals("agent")
                || !segments.get(1).equals("main")
                || segments.get(2).isBlank()
                || segments.get(3).isEmpty()
                || segments.get(CHAT).isEmpty()) {
            return Optional.empty();
        }
        ChatType type = ChatType.of(Segments.decode(segments.get(3)));
        if (segments.size() > (type.isDm() ? LONGEST_DM : LONGEST)) {
            return Optional.empty();
        }
        boolean tellsThread = type.isDm() || type.equals(ChatType.THREAD);
        Optional<String> thread = tellsThread && segments.size() > THREAD
                ? Optional.of(Segments.decode(segments.get(THREAD))).filter(id -> !id.isEmpty())
                : Optional.empty();
        Platform platform = Platform.of(Segments.decode(segments.get(2)));
        return Optional.of(new KeyParts(platform, type, Segments.decode(segments.get(CHAT)), thread));
    }
}
