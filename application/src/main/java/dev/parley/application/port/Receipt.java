package dev.parley.application.port;

import dev.parley.domain.key.SessionKey;
import dev.parley.domain.turn.InboundId;
import java.time.Duration;
import java.util.Optional;

/** What became of a message that a platform handed in. */
public sealed interface Receipt {
    /**
     * The message is stored.
     *
     * @param id the message
     * @param lane its lane
     */
    record Admitted(InboundId id, SessionKey lane) implements Receipt {}

    /**
     * The message was received before; nothing was done.
     *
     * @param id the message as it was stored then
     * @param lane its lane
     */
    record Duplicate(InboundId id, SessionKey lane) implements Receipt {}

    /**
     * The message is not taken, and will not be.
     *
     * @param reason why, for the platform
     * @param why why, in words
     */
    record Refused(Reason reason, String why) implements Receipt {
        /** A refusal of which the platform needs to know no more than its words. */
        public Refused(String why) {
            this(Reason.OTHER, why);
        }
    }

    /** Why a message is not taken. */
    enum Reason {
        /** Its sender may not talk to the gateway; nobody answers. */
        NOT_ALLOWED,
        /** Its sender may not talk to the gateway yet, and was told how to be let in. */
        UNPAIRED,
        /** Something is wrong with the message itself. */
        MALFORMED,
        /** The gateway has no use for it: what happened concerns nothing that is open. */
        NO_USE,
        /** Something else; its words say what. */
        OTHER
    }

    /**
     * The message is not taken now because too many messages wait in its lane or too many lanes work at once; nothing was stored,
     * and the same message id may be handed in again.
     *
     * @param why why
     * @param retryAfter how long to wait before trying again; absent where that is not known
     */
    record TurnedAway(String why, Optional<Duration> retryAfter) implements Receipt {}

    /**
     * The message cannot be stored now; the sender should try again.
     *
     * @param why why
     */
    record Unavailable(String why) implements Receipt {}
}
