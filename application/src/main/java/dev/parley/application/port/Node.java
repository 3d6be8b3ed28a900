package dev.parley.application.port;

import dev.parley.domain.turn.LifeId;
import java.time.Instant;
import java.util.Optional;
import java.util.SortedMap;

/**
 * One life of a gateway that shares a store with others, as the store knows it.
 *
 * @param life the life; a node that is started again has another one
 * @param self what the gateway said of itself when it began
 * @param state how it stands
 * @param wish what an operator wishes of it
 * @param address where it was reached over HTTP when it was last heard of; absent where it was not
 * @param joinedAt when it began, by the store's clock
 * @param leaseUntil until when nobody may take what it holds, by the store's clock
 * @param busy how many lanes it worked on when it was last heard of
 * @param lanes how many lanes it holds
 */
public record Node(
        LifeId life,
        Newcomer self,
        State state,
        Wish wish,
        Optional<String> address,
        Instant joinedAt,
        Instant leaseUntil,
        int busy,
        int lanes) {

    /** Returns what its operator calls it. */
    public String name() {
        return self.name();
    }

    /** Returns the version of its program. */
    public String version() {
        return self.version();
    }

    /** Returns what must be the same for all nodes, by name. */
    public SortedMap<String, String> agreed() {
        return self.agreed();
    }

    /** Returns its name and where it runs, for people. */
    public String shown() {
        return self.place().isEmpty() ? name() : name() + " (" + self.place() + ")";
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

    /** What an operator wishes of a life. */
    public enum Wish {
        /** That it works. */
        NOTHING,
        /** That it begins no turns until it is released; running ones end. */
        HOLD,
        /** That it finishes what it holds and ends. */
        DRAIN
    }
}
