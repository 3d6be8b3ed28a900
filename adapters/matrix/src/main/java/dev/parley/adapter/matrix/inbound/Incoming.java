package dev.parley.adapter.matrix.inbound;

import dev.parley.adapter.kit.flow.ReadMessage;
import dev.parley.domain.source.SessionSource;
import dev.parley.domain.turn.ChatEvent;

/** What an event is, as it was read. */
sealed interface Incoming {
    /** A message for the agent. */
    record Message(ReadMessage message) implements Incoming {}

    /** A message of a room that is listened to, and not for the agent. */
    record Overheard(ReadMessage message) implements Incoming {}

    /**
     * Something that happened to a message.
     *
     * @param source who did it, and where
     * @param event what happened
     * @param eventId the event
     */
    record Event(SessionSource source, ChatEvent event, String eventId) implements Incoming {}

    /**
     * A room has become another.
     *
     * @param source who did it, in the new room
     * @param from the room it was
     * @param via the server that knows the new room
     * @param eventId the event
     */
    record Moved(SessionSource source, String from, String via, String eventId) implements Incoming {}

    /**
     * The account was invited to a room that is meant for it and one person.
     *
     * @param inviter who
     */
    record DirectInvitation(String inviter) implements Incoming {}

    /** Somebody wrote in a room that the bot cannot read. */
    record Encrypted() implements Incoming {}

    /**
     * Nothing for the agent: settled without a word.
     *
     * @param why why, for tests
     */
    record PassedOver(String why) implements Incoming {}

    /**
     * Nothing that can be read: settled with a warning.
     *
     * @param why why, without anything that people wrote
     */
    record Unreadable(String why) implements Incoming {}
}
