package dev.parley.domain.turn;

import java.util.List;

/**
 * A part of an outgoing message that its platform took. A long message is sent in several; equal messages are always cut into
 * equal parts, so a part keeps its number.
 *
 * @param number which part, from 1
 * @param messageIds the messages it became, as the platform names them, in order; empty where it names none
 */
public record SentPart(int number, List<String> messageIds) {
    public SentPart {
        messageIds = List.copyOf(messageIds);
        if (number < 1) {
            throw new IllegalArgumentException("Parts are counted from 1, not " + number + ".");
        }
    }
}
