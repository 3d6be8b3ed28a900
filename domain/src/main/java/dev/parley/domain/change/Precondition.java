package dev.parley.domain.change;

import dev.parley.domain.key.SessionKey;
import dev.parley.domain.session.SessionId;
import dev.parley.domain.turn.InboundId;
import dev.parley.domain.turn.PlatformMessage;
import dev.parley.domain.turn.RunId;
import dev.parley.domain.turn.TurnId;

/** What must hold for a batch to be applied. All preconditions of a batch are checked before its first change. */
public sealed interface Precondition {
    /**
     * The lane has this epoch; {@link dev.parley.domain.session.Lane#ABSENT} where it must not exist.
     *
     * @param lane the lane
     * @param epoch its epoch
     */
    record LaneEpoch(SessionKey lane, long epoch) implements Precondition {}

    /**
     * The turn is claimed by this run.
     *
     * @param turn the turn
     * @param run the run
     */
    record TurnClaimed(TurnId turn, RunId run) implements Precondition {}

    /**
     * No message with this platform id is stored.
     *
     * @param message the platform's name of the message
     */
    record NotReceived(PlatformMessage message) implements Precondition {}

    /**
     * The received message still waits in the queue.
     *
     * @param inbound the message
     */
    record StillAdmitted(InboundId inbound) implements Precondition {}

    /**
     * No session other than this one has the title.
     *
     * @param title the title
     * @param session the session that is to have it
     */
    record TitleFree(String title, SessionId session) implements Precondition {}

    /**
     * The session exists.
     *
     * @param session the session
     */
    record SessionExists(SessionId session) implements Precondition {}

    /**
     * The session does not exist.
     *
     * @param session the session
     */
    record SessionAbsent(SessionId session) implements Precondition {}

    /**
     * No lane points at the session, so ending or deleting it takes nothing away from a conversation.
     *
     * @param session the session
     */
    record NotCurrent(SessionId session) implements Precondition {}
}
