package dev.parley.fakes.signal;

import java.util.List;
import java.util.Optional;

/**
 * A message that the account has sent.
 *
 * @param chat where it is shown: a person's number or uuid, or {@code group:} with the group's id
 * @param timestamp its time in milliseconds, which names it together with its author
 * @param text its text
 * @param styles the styles of the text, each as {@code start:length:STYLE}, in UTF-16 units
 * @param quotes the timestamp of the message that it quotes; absent where it quotes none
 * @param attachments its files, as they were given: paths, or addresses with the data in them
 */
public record Shown(
        String chat,
        long timestamp,
        String text,
        List<String> styles,
        Optional<Long> quotes,
        List<String> attachments) {
    public Shown {
        styles = List.copyOf(styles);
        attachments = List.copyOf(attachments);
    }
}
