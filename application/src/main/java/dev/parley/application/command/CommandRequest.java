package dev.parley.application.command;

import dev.parley.domain.source.SessionSource;
import dev.parley.domain.turn.Attachment;
import java.time.Instant;
import java.util.List;

/**
 * A command as a person wrote it.
 *
 * @param source who wrote it, and from where
 * @param name the command's name or words as they were typed, in lower case and without a slash; empty where nobody typed them
 * @param arguments the text behind the command's name, trimmed, with long dashes as hyphens (Q8.2)
 * @param attachments what came with it
 * @param admin whether the writer is a configured admin
 * @param now the clock
 */
public record CommandRequest(
        SessionSource source, String name, String arguments, List<Attachment> attachments, boolean admin, Instant now) {
    public CommandRequest {
        attachments = List.copyOf(attachments);
    }
}
