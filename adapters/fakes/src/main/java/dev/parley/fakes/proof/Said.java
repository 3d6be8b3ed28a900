package dev.parley.fakes.proof;

import dev.parley.domain.key.SessionKey;
import dev.parley.domain.turn.PlatformMessage;
import java.util.Locale;
import java.util.Set;

/**
 * Something that was handed to the gateway, once or more often.
 *
 * @param lane the lane it belongs to
 * @param number its place among what was said in the lane: none is handed in before the one before it was acknowledged
 * @param kind what it is
 * @param token what it is known by; empty for a command
 * @param name how its platform names it
 * @param acknowledgements the ids under which the gateway acknowledged it; none where it never did, or where its platform is told no id
 * @param confirmed whether its platform was told that it was received
 */
public record Said(
        SessionKey lane,
        int number,
        Kind kind,
        String token,
        PlatformMessage name,
        Set<String> acknowledgements,
        boolean confirmed) {
    /** Something whose platform is told an id. */
    public Said(
            SessionKey lane, int number, Kind kind, String token, PlatformMessage name, Set<String> acknowledgements) {
        this(lane, number, kind, token, name, acknowledgements, !acknowledgements.isEmpty());
    }

    /** What was said. */
    public enum Kind {
        /** A message for the agent. */
        TEXT,
        /** A text behind {@code /queue}. */
        QUEUED,
        /** {@code /new}. */
        NEW,
        /** {@code /stop}. */
        STOP,
        /** {@code /status}, which changes nothing. */
        STATUS
    }

    public Said {
        acknowledgements = Set.copyOf(acknowledgements);
    }

    /** Returns whether its platform was told that it was received. */
    public boolean isAcknowledged() {
        return confirmed;
    }

    /** Returns whether it is for the agent. */
    public boolean isForTheAgent() {
        return kind == Kind.TEXT || kind == Kind.QUEUED;
    }

    /** Returns it as an operator would name it: {@code <c4#1> (webhook c4, message c4-1, acknowledged as in-17)}. */
    @Override
    public String toString() {
        String ids = acknowledgements.isEmpty() ? "" : " as " + String.join(", ", acknowledgements);
        return (isForTheAgent() ? token : "/" + kind.name().toLowerCase(Locale.ROOT)) + " ("
                + name.platform().name()
                + " " + name.chatId() + ", message " + name.messageId()
                + (confirmed ? ", acknowledged" + ids : ", not acknowledged") + ")";
    }
}
