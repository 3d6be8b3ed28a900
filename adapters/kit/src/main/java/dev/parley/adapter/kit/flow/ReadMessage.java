package dev.parley.adapter.kit.flow;

import dev.parley.adapter.kit.media.RemoteFile;
import dev.parley.domain.source.SessionSource;
import dev.parley.domain.turn.PrecedingMessage;
import dev.parley.domain.turn.ReplyTo;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * A message for the agent, as an adapter has read it.
 *
 * @param source who wrote it, and where
 * @param text what was said, without the bot's name
 * @param files what came with it, not yet fetched
 * @param messageId its id, unique in its chat
 * @param sentAt when it was sent, by the platform's clock
 * @param replyTo the message it replies to
 * @param mentioned whether it names the bot or replies to it
 * @param context messages before it that were not for the agent, oldest first
 */
public record ReadMessage(
        SessionSource source,
        String text,
        List<RemoteFile> files,
        String messageId,
        Optional<Instant> sentAt,
        Optional<ReplyTo> replyTo,
        boolean mentioned,
        List<PrecedingMessage> context) {
    /** Copies the lists. */
    public ReadMessage {
        files = List.copyOf(files);
        context = List.copyOf(context);
    }
}
