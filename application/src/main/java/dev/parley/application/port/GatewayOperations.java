package dev.parley.application.port;

import dev.parley.domain.key.SessionKey;
import dev.parley.domain.session.SessionId;
import dev.parley.domain.turn.InboundId;
import dev.parley.domain.turn.OutgoingId;
import java.util.List;
import java.util.Optional;
import java.util.function.BiConsumer;

/**
 * What an operator may do to single things of a running gateway: a session, a waiting message, a delivery, all new turns. Unscoped: a
 * surface that offers it checks who asks. What was done is stored when a method returns. Every method throws {@link StorageUnavailable}
 * or {@link StorageCorrupt} where the storage refuses, where a lane does not answer in time, and where the gateway has stopped; it may
 * have been done then all the same. Safe for concurrent use.
 */
public interface GatewayOperations {
    /**
     * Has a lane go back to a session, as {@code /resume} does; to the end of its chain where the session was compressed. Nothing is
     * done where the lane has moved since the operator looked, where a turn runs, or where another lane is in that session.
     *
     * @param lane the lane
     * @param session the session
     * @param epoch the lane's epoch when the operator looked
     * @return whether it was done
     * @throws HeldElsewhere where another node works on the lane
     */
    boolean resume(SessionKey lane, SessionId session, long epoch);

    /**
     * Drops a message that waits in a lane's queue: no turn answers it, and whoever waits for an answer is told.
     *
     * @return false where it does not wait any more
     * @throws HeldElsewhere where another node works on the lane
     */
    boolean drop(SessionKey lane, InboundId message);

    /**
     * Tries the chat of a message again now instead of after the gateway's own pause; what the chat was sent before it goes first. A pause
     * that the platform asked for is kept to.
     *
     * @return false where the message does not wait in this gateway
     */
    boolean tryNow(OutgoingId message);

    /**
     * Gives up a message that was not delivered: it counts as expired and is never sent.
     *
     * @return false where it does not wait in this gateway, or is being sent at this moment
     */
    boolean giveUp(OutgoingId message);

    /** Gives a session a title, as far as it can be one once it is cleaned; removes the title where the text is empty then. */
    Edited title(SessionId session, String text);

    /**
     * Ends a session; the first end wins.
     *
     * @param reason why, such as {@code user_exit}; not blank
     */
    Edited end(SessionId session, String reason);

    /** Makes an ended session live again. */
    Edited reopen(SessionId session);

    /** Deletes a session with all its messages. It cannot be taken back. */
    Edited delete(SessionId session);

    /** What became of the change of a session. */
    sealed interface Edited {
        /** It was made. */
        record Done() implements Edited {}

        /** There is no such session. */
        record Missing() implements Edited {}

        /**
         * A lane is in the session, so it stays as it is.
         *
         * @param lane the lane; absent where it has left it meanwhile
         */
        record InUse(Optional<SessionKey> lane) implements Edited {}

        /**
         * Another session has the title.
         *
         * @param title the title
         * @param holder the session that has it; absent where its id cannot be used
         */
        record TitleTaken(String title, Optional<SessionId> holder) implements Edited {}

        /**
         * The store keeps no titles.
         *
         * @param location where the store is
         */
        record NoTitles(String location) implements Edited {}

        /**
         * It cannot be asked for like this.
         *
         * @param why what is wrong with it, one line
         */
        record Invalid(String why) implements Edited {}
    }

    /**
     * Holds new turns back until they are released, also over restarts, or releases them (P7.49). Messages are taken meanwhile.
     *
     * @return whether new turns are held now; true after a release where an operator holds the node in the storage besides
     */
    boolean hold(boolean held);

    /**
     * Checks everything that is stored and changes nothing; turns go on meanwhile. May take minutes.
     *
     * @param progress told done and total steps
     * @return what is wrong, one line each with what to do; empty where nothing is
     */
    List<String> check(BiConsumer<Long, Long> progress);
}
