package dev.parley.application.port;

import dev.parley.domain.source.SessionSource;
import dev.parley.domain.turn.Attachment;
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
 */
public record Received(SessionSource source, String text, List<Attachment> attachments, Optional<String> messageId) {
    public Received {
        attachments = List.copyOf(attachments);
    }
}
