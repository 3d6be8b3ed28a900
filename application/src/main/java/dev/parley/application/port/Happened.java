package dev.parley.application.port;

import dev.parley.domain.source.SessionSource;
import dev.parley.domain.turn.ChatEvent;
import dev.parley.domain.turn.PlatformMessage;
import java.util.Optional;

/**
 * Something that happened to a message or to a chat and is no message itself, as a platform hands it in.
 *
 * @param source who did it, and where
 * @param event what happened
 * @param eventId its id on the platform, never that of a message of the chat; absent where there is none, then a redelivery cannot be
 *     told apart
 */
public record Happened(SessionSource source, ChatEvent event, Optional<String> eventId) {
    /** Returns the name its platform gave it; absent where it gave none. */
    public Optional<PlatformMessage> name() {
        return eventId.map(id -> new PlatformMessage(source.platform(), source.chatId(), id));
    }
}
