package dev.parley.domain.change;

import dev.parley.domain.key.SessionKey;
import dev.parley.domain.session.SessionId;
import dev.parley.domain.turn.Hold;
import dev.parley.domain.turn.InboundId;
import dev.parley.domain.turn.PlatformMessage;
import dev.parley.domain.turn.RunId;
import dev.parley.domain.turn.TurnId;

/** What must hold for a batch to be applied. All preconditions of a batch are checked before its first change. */
public sealed interface Precondition {
    /** Returns whether this holds, as far as {@code facts} say. */
    <E extends Exception> boolean holds(Facts<E> facts) throws E;

    /**
     * The lane has this epoch; {@link dev.parley.domain.session.Lane#ABSENT} where it must not exist.
     *
     * @param lane the lane
     * @param epoch its epoch
     */
    record LaneEpoch(SessionKey lane, long epoch) implements Precondition {
        @Override
        public <E extends Exception> boolean holds(Facts<E> facts) throws E {
            return facts.epoch(lane) == epoch;
        }
    }

    /**
     * The turn is claimed by this run.
     *
     * @param turn the turn
     * @param run the run
     */
    record TurnClaimed(TurnId turn, RunId run) implements Precondition {
        @Override
        public <E extends Exception> boolean holds(Facts<E> facts) throws E {
            return facts.isClaimed(turn, run);
        }
    }

    /**
     * No message with this platform id is stored.
     *
     * @param message the platform's name of the message
     */
    record NotReceived(PlatformMessage message) implements Precondition {
        @Override
        public <E extends Exception> boolean holds(Facts<E> facts) throws E {
            return !facts.isReceived(message);
        }
    }

    /**
     * The received message still waits in the queue.
     *
     * @param inbound the message
     */
    record StillAdmitted(InboundId inbound) implements Precondition {
        @Override
        public <E extends Exception> boolean holds(Facts<E> facts) throws E {
            return facts.isAdmitted(inbound);
        }
    }

    /**
     * No session other than this one has the title.
     *
     * @param title the title
     * @param session the session that is to have it
     */
    record TitleFree(String title, SessionId session) implements Precondition {
        @Override
        public <E extends Exception> boolean holds(Facts<E> facts) throws E {
            return !facts.isTitleTaken(title, session);
        }
    }

    /**
     * The session exists.
     *
     * @param session the session
     */
    record SessionExists(SessionId session) implements Precondition {
        @Override
        public <E extends Exception> boolean holds(Facts<E> facts) throws E {
            return facts.exists(session);
        }
    }

    /**
     * The session does not exist.
     *
     * @param session the session
     */
    record SessionAbsent(SessionId session) implements Precondition {
        @Override
        public <E extends Exception> boolean holds(Facts<E> facts) throws E {
            return !facts.exists(session);
        }
    }

    /**
     * No lane points at the session, so ending or deleting it takes nothing away from a conversation.
     *
     * @param session the session
     */
    record NotCurrent(SessionId session) implements Precondition {
        @Override
        public <E extends Exception> boolean holds(Facts<E> facts) throws E {
            return !facts.isCurrent(session);
        }
    }

    /**
     * The lane is held under this token: nobody has taken it since.
     *
     * @param lane the lane
     * @param token the token it was taken with
     */
    record HeldBy(SessionKey lane, long token) implements Precondition {
        @Override
        public <E extends Exception> boolean holds(Facts<E> facts) throws E {
            return facts.hold(lane).isHeldUnder(token);
        }
    }

    /**
     * Nobody holds the lane, and nobody has held it since it had this token.
     *
     * @param lane the lane
     * @param token its last token; 0 where it was never taken
     */
    record HoldFree(SessionKey lane, long token) implements Precondition {
        @Override
        public <E extends Exception> boolean holds(Facts<E> facts) throws E {
            return facts.hold(lane).isFreeSince(token);
        }
    }

    /**
     * No message of the lane was admitted behind this place.
     *
     * @param lane the lane
     * @param ordinal the greatest ordinal that is known; 0 for a lane that never had a message
     */
    record LastOrdinal(SessionKey lane, long ordinal) implements Precondition {
        @Override
        public <E extends Exception> boolean holds(Facts<E> facts) throws E {
            return facts.lastOrdinal(lane) == ordinal;
        }
    }

    /**
     * What a store says when preconditions are checked. Nothing of the batch whose preconditions these are has taken effect.
     *
     * @param <E> what reading the store may throw
     */
    interface Facts<E extends Exception> extends SessionFacts<E> {
        /** Returns the lane's epoch; {@link dev.parley.domain.session.Lane#ABSENT} where there is no such lane. */
        long epoch(SessionKey lane) throws E;

        /** Returns whether the turn is claimed by this run. */
        boolean isClaimed(TurnId turn, RunId run) throws E;

        /** Returns whether a message with this name is stored. */
        boolean isReceived(PlatformMessage message) throws E;

        /** Returns whether the message waits in the queue. */
        boolean isAdmitted(InboundId inbound) throws E;

        /** Returns whether a lane points at the session. */
        boolean isCurrent(SessionId session) throws E;

        /** Returns who holds the lane; {@link Hold#NONE} for one that nobody ever took. */
        Hold hold(SessionKey lane) throws E;

        /** Returns the greatest ordinal ever given to a message of the lane, or 0. */
        long lastOrdinal(SessionKey lane) throws E;
    }
}
