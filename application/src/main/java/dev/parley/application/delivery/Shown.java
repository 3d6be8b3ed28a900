package dev.parley.application.delivery;

import dev.parley.domain.change.Change;
import dev.parley.domain.key.SessionKey;
import dev.parley.domain.source.Address;
import dev.parley.domain.source.CursorName;
import dev.parley.domain.source.Platform;
import dev.parley.domain.turn.TurnId;
import java.util.Optional;

/**
 * A turn of which people see something while it runs.
 *
 * @param turn the turn
 * @param lane its lane
 * @param to where its people are
 * @param replyTo the message that its answer replies to; absent where it replies to none
 * @param marked the message that is marked; absent where none is
 * @param before the message that showed the answer of the turn that this one resumes; absent where there is none
 */
record Shown(
        TurnId turn,
        SessionKey lane,
        Address to,
        Optional<String> replyTo,
        Optional<String> marked,
        Optional<String> before) {
    /** Remembers which message shows the turn's answer. */
    Change shownBy(String messageId) {
        return new Change.PutCursor(name(to.platform(), lane), Optional.of(turn.value() + " " + messageId));
    }

    /** Forgets which message showed an answer of a lane. */
    static Change forgotten(Platform platform, SessionKey lane) {
        return new Change.PutCursor(name(platform, lane), Optional.empty());
    }

    /** The name under which a lane's message is remembered, beside how far its platform was read. */
    static CursorName name(Platform platform, SessionKey lane) {
        return new CursorName(platform, "previews", lane.value());
    }

    /** Returns the message that a remembered value names, where it shows the answer of this turn. */
    static Optional<String> message(String remembered, TurnId turn) {
        return remembered.startsWith(turn.value() + " ")
                ? Optional.of(remembered.substring(turn.value().length() + 1))
                : Optional.empty();
    }

    /** Returns the message that a remembered value names, whichever turn it belongs to. */
    static Optional<String> message(String remembered) {
        int blank = remembered.indexOf(' ');
        return blank < 0 ? Optional.empty() : Optional.of(remembered.substring(blank + 1));
    }
}
