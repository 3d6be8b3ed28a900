package dev.parley.application.delivery;

import dev.parley.application.port.GatewayEvent.Expired.Why;
import dev.parley.application.settings.Delivery;
import dev.parley.domain.turn.Outgoing;
import java.time.Duration;
import java.time.Instant;

/** Which messages are still sent. Pure. */
public final class DeliveryRules {
    private DeliveryRules() {}

    /** Returns how old a message may become and still be sent: answers long, what is false soon only for a while. */
    public static Duration limit(Outgoing message, Delivery settings) {
        Duration own = switch (message.kind()) {
            case REPLY -> settings.limit();
            case NOTICE -> settings.noticeLimit();
            case BANNER, ACK -> settings.bannerLimit();
        };
        return own.compareTo(settings.limit()) < 0 ? own : settings.limit();
    }

    /** Returns whether a message is too old to be sent. */
    public static boolean isTooOld(Outgoing message, Instant now, Delivery settings) {
        return message.isExpiredAt(now)
                || Duration.between(message.createdAt(), now).compareTo(limit(message, settings)) > 0;
    }

    /**
     * Returns whether a message of the process before is given up at a start: too old, said of a moment that the start has ended, or
     * begun and not to be repeated.
     */
    public static boolean isOverAtStart(Outgoing message, Instant now, Delivery settings, boolean recognisesRepeats) {
        boolean unknown = message.state() == Outgoing.State.ATTEMPTED && !mayRepeat(settings, recognisesRepeats);
        return isTooOld(message, now, settings) || isOfItsProcess(message) || unknown;
    }

    /** Returns whether a message says something that is over with the process that said it. */
    private static boolean isOfItsProcess(Outgoing message) {
        return message.kind() == Outgoing.Kind.BANNER || message.kind() == Outgoing.Kind.ACK;
    }

    /** Returns why a message that is over at a start is given up. */
    public static Why whyOverAtStart(Outgoing message, Instant now, Delivery settings) {
        return isTooOld(message, now, settings) || isOfItsProcess(message) ? Why.TOO_OLD : Why.UNKNOWN;
    }

    /** Returns whether a message whose delivery is unknown is sent again. */
    public static boolean mayRepeat(Delivery settings, boolean recognisesRepeats) {
        return !settings.atMostOnce() || recognisesRepeats;
    }
}
