package dev.parley.application.port;

import dev.parley.domain.key.SessionKey;
import dev.parley.domain.turn.LifeId;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;

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
     * @param name what its operator calls the node
     * @param version the version of the program
     * @param agreed what must be the same for all nodes, by name
     * @param lease for how long nobody may take what it holds after it was last heard of
     */
    void join(LifeId life, String name, String version, SortedMap<String, String> agreed, Duration lease);

    /**
     * Says that a life goes on, and renews its lease.
     *
     * @param busy how many lanes it works on
     * @param draining whether it takes nothing more from now on
     * @return the time by the store's clock; absent where the life is over
     */
    Optional<Instant> beat(LifeId life, Duration lease, int busy, boolean draining);

    /** Ends a life by its own wish: its lanes are free and its leases too. Does nothing where it is over. */
    void leave(LifeId life);

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

    /** Returns how lives wake each other. */
    Wakes wakes();
}
