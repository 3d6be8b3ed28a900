package dev.parley.domain.turn;

import java.time.Instant;
import java.util.Optional;

/**
 * A message of the same chat that was not addressed to the agent and came before one that was: context, no input.
 *
 * @param author who wrote it, as people see the name
 * @param text what it says
 * @param sentAt when it was sent, by the platform's clock
 * @param messageId its id on the platform
 */
public record PrecedingMessage(
        Optional<String> author, String text, Optional<Instant> sentAt, Optional<String> messageId) {
    /** What somebody wrote, at a time that is not known. */
    public static PrecedingMessage of(String author, String text) {
        return new PrecedingMessage(Optional.of(author), text, Optional.empty(), Optional.empty());
    }
}
