package dev.parley.fakes.proof;

import dev.parley.domain.key.SessionKey;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * What was written down of nodes that shared a store. A node is known by the name of its process, which no other one ever had.
 *
 * @param writes what was changed of lanes, as the database saw it, in the order in which it happened to each lane
 * @param takes who held which lane, as the database saw it, in the order in which it happened to each lane
 * @param effects calls of the model and messages sent, in no order that means anything
 * @param troubles what kept nodes from knowing what others did
 * @param left what is held although all nodes have ended, each in a line
 */
public record NodeLog(
        List<Write> writes, List<Take> takes, List<Effect> effects, List<Trouble> troubles, List<String> left) {
    /** Nothing: one gateway had the store to itself. */
    public static final NodeLog EMPTY = new NodeLog(List.of(), List.of(), List.of(), List.of(), List.of());

    public NodeLog {
        writes = List.copyOf(writes);
        takes = List.copyOf(takes);
        effects = List.copyOf(effects);
        troubles = List.copyOf(troubles);
        left = List.copyOf(left);
    }

    /**
     * A row of a lane as it was stored.
     *
     * @param at when, by the clock of the database
     * @param by which node stored it
     * @param lane the lane
     * @param what the table it is in
     * @param id its key
     * @param state its state; empty where it has none
     * @param isNew whether it was not there before
     * @param token the token it carries; absent where it carries none
     * @param holder the life that held the lane in the same transaction
     * @param held the token that it held the lane under; 0 where nobody ever did
     */
    public record Write(
            Instant at,
            String by,
            SessionKey lane,
            String what,
            String id,
            String state,
            boolean isNew,
            Optional<Long> token,
            Optional<String> holder,
            long held) {
        static final String INBOUND = "parley_inbound";
        static final String TURNS = "parley_turns";

        /** Returns whether it is a message left for the node that holds the lane, which every node may do. */
        public boolean isPosted() {
            return what.equals(INBOUND) && isNew && state.equals("admitted");
        }

        public boolean isTurn() {
            return what.equals(TURNS);
        }

        public boolean isClaimed() {
            return isTurn() && state.equals("claimed");
        }
    }

    /**
     * A change of who holds a lane.
     *
     * @param at when, by the clock of the database
     * @param lane the lane
     * @param life the life that holds it from then on; absent where it is free
     * @param before the life that held it until then; absent where it was free
     * @param token its token from then on
     */
    public record Take(Instant at, SessionKey lane, Optional<String> life, Optional<String> before, long token) {}

    /**
     * Something that cannot be taken back.
     *
     * @param at when it arrived
     * @param by the node that did it
     * @param about the mark of what the model was asked, or the id of what was sent
     */
    public record Effect(Instant at, String by, String about) {}

    /**
     * A time in which a node could not know what others did.
     *
     * @param node the node
     * @param what what happened to it
     * @param from since when
     * @param to until when
     */
    public record Trouble(String node, String what, Instant from, Instant to) {}

    /** Returns the node that lives a life. */
    public static String node(String life) {
        return life.split("#", 2)[0];
    }
}
