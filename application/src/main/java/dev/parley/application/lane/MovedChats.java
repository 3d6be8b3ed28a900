package dev.parley.application.lane;

import dev.parley.application.port.Meta;
import dev.parley.domain.source.Platform;
import dev.parley.domain.source.SessionSource;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Chats that go on under another id. Their lanes keep the key that they had, so sessions, queue and history stay where they are; only
 * what is sent goes to the new id. Kept as named values of the store. Safe for concurrent use.
 */
public final class MovedChats {
    private static final String PREFIX = "moved_chat:";

    private final Map<String, String> moved = new ConcurrentHashMap<>();

    /** No chat has moved yet. */
    public MovedChats() {}

    /** Reads the chats that have moved; throws what the store throws. */
    public void load(Meta meta) {
        meta.all().forEach((key, from) -> {
            if (key.startsWith(PREFIX)) {
                moved.put(key, from);
            }
        });
    }

    /** Notes that a chat has moved, before that is stored: what comes in next belongs to its lane already. */
    public void note(SessionSource now, String from) {
        moved.put(key(now.platform(), now.chatId()), from);
    }

    /** Returns a source as it was before its chat moved, for the lane's key; the same where it did not. */
    public SessionSource asBefore(SessionSource source) {
        String chat = source.chatId();
        // A chat moves once or twice in its life; what leads in a circle is followed no further.
        for (int steps = 0; steps < 4; steps++) {
            String from = moved.get(key(source.platform(), chat));
            if (from == null || from.equals(source.chatId())) {
                break;
            }
            chat = from;
        }
        return chat.equals(source.chatId())
                ? source
                : source.toBuilder().chatId(chat).build();
    }

    static String key(Platform platform, String chatId) {
        return PREFIX + platform.name() + ":" + chatId;
    }
}
