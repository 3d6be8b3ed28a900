package dev.parley.application.delivery;

import dev.parley.domain.source.Platform;
import dev.parley.domain.turn.Outgoing;
import java.util.Comparator;

/**
 * A chat, as far as the order of what it is sent goes: its threads share one.
 *
 * @param platform the platform
 * @param chatId the chat there
 */
record Chat(Platform platform, String chatId) implements Comparable<Chat> {
    private static final Comparator<Chat> ORDER =
            Comparator.comparing(Chat::platform).thenComparing(Chat::chatId);

    static Chat of(Outgoing message) {
        return new Chat(message.platform(), message.chatId());
    }

    @Override
    public int compareTo(Chat other) {
        return ORDER.compare(this, other);
    }
}
