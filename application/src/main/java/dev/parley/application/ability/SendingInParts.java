package dev.parley.application.ability;

import dev.parley.application.port.ChatPlatform;
import dev.parley.application.port.Sent;
import dev.parley.domain.turn.Outgoing;
import dev.parley.domain.turn.SentPart;

/**
 * A platform that names the messages it shows, and sends a long one as several. The gateway stores each part as it is taken, before
 * the next is sent: after a failure or a crash it continues behind the last part that is stored.
 */
public interface SendingInParts extends ChatPlatform {
    /**
     * Sends the first part of a message that is not among {@link dev.parley.domain.turn.Outgoing.Delivery#parts()}; returns once the platform has
     * taken it. Equal messages are cut into equal parts. Where the message has {@link Outgoing#replaces()}, the first part takes the
     * place of that message, or becomes a new one where that is not there any more. Called again with the same message where it is not
     * known whether the part arrived.
     *
     * @throws dev.parley.application.port.DeliveryFailed where it is known that the platform did not take the part; anything else it
     *     throws says that this is not known
     */
    Sent sendPart(Outgoing message);

    /** Sends all parts that are left. */
    @Override
    default void send(Outgoing message) {
        Outgoing left = message;
        for (boolean more = true; more; ) {
            Sent sent = sendPart(left);
            left = left.sent(new SentPart(left.delivery().nextPart(), sent.messageIds()));
            more = sent.more();
        }
    }
}
