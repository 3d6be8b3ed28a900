package dev.parley.adapter.telegram.inbound;

import dev.parley.adapter.kit.flow.ReadMessage;
import dev.parley.domain.source.SessionSource;
import dev.parley.domain.turn.ChatEvent;
import java.util.Optional;

/** What an update is, as it was read. */
public sealed interface Incoming {
    /** A message for the agent. */
    record Message(ReadMessage message) implements Incoming {}

    /** A message of a group that is listened to, and not for the agent. */
    record Overheard(ReadMessage message) implements Incoming {}

    /**
     * Something that happened to a message or to a chat.
     *
     * @param source who did it, and where
     * @param event what happened
     * @param eventId the same for the same event, however often it is offered
     * @param query the press of a button that waits to be answered; absent for everything else
     */
    record Event(SessionSource source, ChatEvent event, String eventId, Optional<String> query) implements Incoming {}

    /**
     * Nothing for the agent: settled without a word.
     *
     * @param why why, for tests and for logs that show everything
     */
    record PassedOver(String why) implements Incoming {}

    /**
     * Nothing that can be read: settled with a warning.
     *
     * @param why why, without anything that people wrote
     */
    record Unreadable(String why) implements Incoming {}
}
