package dev.parley.application.port;

import dev.parley.domain.key.SessionKey;
import dev.parley.domain.turn.LifeId;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The gateways that share a store: which of them live, and which of them works on which lane. Housekeeping beside the conversations: it
 * is never copied, exported or kept by a fallback.
 *
 * <p>Correctness stands on the tokens alone: each batch of a lane requires {@link
 * dev.parley.domain.change.Precondition.HeldBy}. That a life is over is decided by the clock of the store and only says when others may
 * take its lanes. Every method is one step that all lives see whole, durable on return, and throws {@link StorageUnavailable} where
 * nobody knows whether it took effect; each may be repeated. Safe for concurrent use.
 */
public interface Cluster {
    /**
     * Begins a life.
     *
     * @param life its id, never used before
     * @param self what the gateway says of itself
     * @param lease for how long nobody may take what it holds after it was last heard of
     * @throws InvalidRequest where the id was used before
     */
    void join(LifeId life, Newcomer self, Duration lease);

    /**
     * Says that a life goes on and how it is, and renews its lease.
     *
     * @return what the life should know; absent where it is over
     */
    Optional<Heard> beat(LifeId life, Duration lease, Vitals how);

    /** Returns the time by the store's clock. */
    Instant now();

    /** Notes what an operator wishes of a life, which hears it with its next beat; returns false where it is not live. */
    boolean wish(LifeId life, Node.Wish wish);

    /**
     * Ends a life by its own wish, where it is not over yet: its lanes are free and its leases too. A lane that somebody is just working
     * on in the store is freed once that is through.
     *
     * @param patience for how long that is waited for; the life is over and everything else free before
     * @return whether the life holds nothing any more; otherwise the next {@link #reap} of any life frees the rest
     */
    boolean leave(LifeId life, Duration patience);

    /** Ends a life by its own wish, and leaves the lanes that somebody is just working on in the store to the next {@link #reap}. */
    default void leave(LifeId life) {
        var unused = leave(life, Duration.ZERO);
    }

    /** Declares a life dead at once, whatever its lease says; returns false where it is not live. */
    boolean forget(LifeId life);

    /** Returns the lives that are live, and those that ended within the last seven days, in the order they began. */
    List<Node> nodes();

    /**
     * Declares the lives dead whose lease has run out, and frees what lives that are over still hold. What somebody is just working on
     * in the store is left for the next time, so that a process that stands still delays nothing but that.
     *
     * @return the lives that were declared dead now
     */
    List<LifeId> reap();

    /**
     * Takes a lane that is free, under the next token, also one that nobody ever used. For a lane that the life holds already the answer
     * is the token that it has, so that an answer that got lost is asked for again.
     */
    Tenure take(LifeId life, SessionKey lane);

    /**
     * Frees a lane, unless it is held under another token by now, or a message was stored in it behind {@code lastOrdinal}.
     *
     * @return whether it is free
     */
    boolean giveBack(SessionKey lane, long token, long lastOrdinal);

    /** Returns the lanes that a life holds, with the greatest ordinal ever given to a message of each. */
    Map<SessionKey, Long> holdsOf(LifeId life);

    /**
     * Returns up to {@code limit} lanes that are free although something is to be done there: a message waits, a turn is claimed, or
     * something said is not delivered. In no order that lives have in common.
     */
    List<SessionKey> wanted(int limit);

    /**
     * Takes a lease, or keeps it: what only one life may do at a time has a name.
     *
     * @return whether the life has it
     */
    boolean lease(LifeId life, String name);

    /** Stores an order for the life that works on its lane, or any where nobody does. */
    void post(PostedOrder order);

    /**
     * Takes the orders that were posted within the last minute for lanes that no other life works on, each once, in no order.
     *
     * @param life who takes them
     */
    List<PostedOrder> takeOrders(LifeId life);

    /**
     * Says what came of an order that was taken.
     *
     * @param done whether it was done; absent where the lane is somebody else's by now, who may take the order then
     */
    void answer(String order, Optional<Boolean> done);

    /** Returns whether an order was done; absent while nobody has said. */
    Optional<Boolean> outcome(String order);

    /** Takes an order back; returns false where somebody has taken it, or there is none. */
    boolean withdraw(String order);

    /**
     * Returns what all have in common under a name: what was stored first, or {@code own} where nothing is.
     *
     * @param replace whether {@code own} takes the place of what is stored
     */
    String share(String name, String own, boolean replace);

    /** Returns how lives wake each other. */
    Wakes wakes();
}
