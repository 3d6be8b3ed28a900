package dev.parley.adapter.matrix.inbound;

import dev.parley.adapter.kit.media.RemoteFile;
import dev.parley.domain.source.SessionSource;
import dev.parley.domain.turn.ChatEvent;
import dev.parley.domain.turn.ReplyTo;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** What an event is, as it was read. */
sealed interface Incoming {
    /**
     * A message for the agent.
     *
     * @param source who wrote it, and where
     * @param text what was said, without the bot's name
     * @param files what came with it, not yet fetched
     * @param messageId the event
     * @param sentAt when it was sent, by its sender's homeserver
     * @param replyTo the message it replies to
     * @param mentioned whether it names the bot or replies to it
     */
    record Message(
            SessionSource source,
            String text,
            List<RemoteFile> files,
            String messageId,
            Optional<Instant> sentAt,
            Optional<ReplyTo> replyTo,
            boolean mentioned)
            implements Incoming {
        public Message {
            files = List.copyOf(files);
        }
    }

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
