package dev.parley.application.port;

import dev.parley.domain.source.SessionSource;
import dev.parley.domain.turn.Attachment;
import dev.parley.domain.turn.PlatformMessage;
import dev.parley.domain.turn.PrecedingMessage;
import dev.parley.domain.turn.ReplyTo;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * A message as a platform hands it in.
 *
 * @param source who sent it, and from where
 * @param text its text; may be a slash command, may be empty where something is attached
 * @param attachments what came with it
 * @param messageId its id on the platform, unique in its chat; absent where there is none, then a redelivery cannot be told
 *     apart
 * @param sentAt when it was sent, by the platform's clock; absent where the platform does not say
 * @param replyTo the message it replies to; absent where it replies to none
 * @param mentioned whether it names the agent, or replies to it
 * @param context messages of the chat that came before it and were not for the agent, oldest first: shown to the agent, not answered
 */
public record Received(
        SessionSource source,
        String text,
        List<Attachment> attachments,
        Optional<String> messageId,
        Optional<Instant> sentAt,
        Optional<ReplyTo> replyTo,
        boolean mentioned,
        List<PrecedingMessage> context) {
    public Received {
        attachments = List.copyOf(attachments);
        context = List.copyOf(context);
    }

    /** A message of which the platform says no more than who sent what. */
    public Received(SessionSource source, String text, List<Attachment> attachments, Optional<String> messageId) {
        this(source, text, attachments, messageId, Optional.empty(), Optional.empty(), false, List.of());
    }

    /** Returns the name its platform gave it; absent where it gave none. */
    public Optional<PlatformMessage> name() {
        return messageId.map(id -> new PlatformMessage(source.platform(), source.chatId(), id));
    }

    /** Returns this with the time when it was sent, by the platform's clock. */
    public Received sentAt(Instant at) {
        return new Received(source, text, attachments, messageId, Optional.of(at), replyTo, mentioned, context);
    }

    /** Returns this as a reply to another message. */
    public Received replyingTo(ReplyTo other) {
        return new Received(source, text, attachments, messageId, sentAt, Optional.of(other), mentioned, context);
    }

    /** Returns this naming the agent, or not. */
    public Received mentioning(boolean agent) {
        return new Received(source, text, attachments, messageId, sentAt, replyTo, agent, context);
    }

    /** Returns this with the messages of the chat before it that were not for the agent, oldest first. */
    public Received after(List<PrecedingMessage> before) {
        return new Received(source, text, attachments, messageId, sentAt, replyTo, mentioned, before);
    }
}
