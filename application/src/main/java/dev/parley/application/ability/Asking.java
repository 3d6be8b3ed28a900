package dev.parley.application.ability;

import dev.parley.application.port.Sent;
import dev.parley.domain.turn.Outgoing;
import java.util.List;

/**
 * A platform that shows answers to choose from, such as buttons. What is pressed comes back as {@link
 * dev.parley.domain.turn.ChatEvent.Pressed}; an answer in words is taken all the same.
 */
public interface Asking {
    /**
     * Sends a part of a question as {@link SendingInParts#sendPart} does, with the choices under the last part.
     *
     * @param choices never empty, in order
     * @throws dev.parley.application.port.DeliveryFailed where it is known that the platform did not take the part; anything else it
     *     throws says that this is not known
     */
    Sent ask(Outgoing question, List<Choice> choices);

    /**
     * An answer to choose.
     *
     * @param value what comes back; at most 16 letters, digits and underscores
     * @param label what people read
     */
    record Choice(String value, String label) {}
}
