package dev.parley.application.port;

import dev.parley.domain.turn.LifeId;
import java.time.Instant;
import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * One life of a gateway that shares a store with others, as the store knows it.
 *
 * @param life the life; a node that is started again has another one
 * @param name what its operator calls the node
 * @param version the version of the program
 * @param agreed what must be the same for all nodes, by name: whatever decides keys and sessions
 * @param state how it stands
 * @param joinedAt when it began, by the store's clock
 * @param leaseUntil until when nobody may take what it holds, by the store's clock
 * @param busy how many lanes it worked on when it was last heard of
 */
public record Node(
        LifeId life,
        String name,
        String version,
        SortedMap<String, String> agreed,
        State state,
        Instant joinedAt,
        Instant leaseUntil,
        int busy) {
    public Node {
        agreed = Collections.unmodifiableSortedMap(new TreeMap<>(agreed));
    }

    /** How a life stands. */
    public enum State {
        /** It works. */
        UP,
        /** It finishes what it holds and takes nothing more. */
        DRAINING,
        /** It has ended by itself. */
        LEFT,
        /** It was not heard of for longer than its lease, or an operator said that it is over. */
        DEAD;

        /** Returns whether it may hold lanes. */
        public boolean isLive() {
            return this == UP || this == DRAINING;
        }
    }
}
