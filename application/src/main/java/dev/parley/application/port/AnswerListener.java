package dev.parley.application.port;

import dev.parley.domain.turn.Outgoing;
import dev.parley.domain.turn.TurnId;

/**
 * Told how the answer to one message comes about, while the process lives. What streams is provisional; only {@link #finished}
 * tells what is stored. Calls come one at a time.
 */
public interface AnswerListener {
    /** The agent said more; the text is not stored yet. */
    default void streamed(TurnId turn, String delta) {}

    /** The gateway answered the message itself, such as a command's reply or an acknowledgement; it is stored. */
    default void replied(Outgoing reply) {}

    /**
     * The agent asks something and its turn waits for what people say to it in the chat. The question is stored, names the turn, and
     * goes to the chat besides; it is told here once.
     */
    default void asked(Outgoing question) {}

    /** The turn has ended and is stored; {@code text} is its answer, empty where there is none. */
    default void finished(TurnId turn, String text) {}

    /** As {@link #finished(TurnId, String)}, with all there is of the stored answer, such as its files. */
    default void finished(Outgoing answer) {
        answer.turn().ifPresent(turn -> finished(turn, answer.text()));
    }

    /** No answer will come: the message was dropped, its turn was superseded or failed, or only a command's reply was due. */
    default void closed(String why) {}

    /** Nobody waits. */
    AnswerListener NONE = new AnswerListener() {};
}
