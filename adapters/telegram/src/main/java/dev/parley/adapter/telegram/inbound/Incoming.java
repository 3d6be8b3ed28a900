package dev.parley.adapter.telegram.inbound;

import dev.parley.adapter.kit.media.RemoteFile;
import dev.parley.domain.source.SessionSource;
import dev.parley.domain.turn.ChatEvent;
import dev.parley.domain.turn.ReplyTo;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** What an update is, as it was read. */
public sealed interface Incoming {
    /**
     * A message for the agent.
     *
     * @param source who wrote it, and where
     * @param text its text or caption, without the bot's name
     * @param files what came with it, not yet fetched
     * @param messageId its id in its chat
     * @param sentAt when it was sent; absent where the update does not say
     * @param replyTo the message it replies to
     * @param mentioned whether it names the bot, replies to it, or is a command addressed to it
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
