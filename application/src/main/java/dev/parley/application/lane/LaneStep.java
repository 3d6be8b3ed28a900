package dev.parley.application.lane;

import dev.parley.application.port.Receipt;
import dev.parley.domain.change.Change;
import dev.parley.domain.change.Precondition;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;

/**
 * A decision: what is stored on which preconditions, what the lane is afterwards, and what happens then. Where a precondition does
 * not hold the same is decided again on what is stored by then.
 *
 * @param require what must hold
 * @param store what is stored, in one batch; where it is empty nothing is committed
 * @param during the lane while it is being stored
 * @param after the lane once it is stored
 * @param then what happens then, in order
 * @param ofTurn whether all this is of use to the running turn alone: where the turn is not the lane's any more, nothing is decided
 *     again
 */
record LaneStep(
        List<Precondition> require,
        List<Change> store,
        LaneState during,
        LaneState after,
        List<Effect> then,
        boolean ofTurn) {
    LaneStep {
        require = List.copyOf(require);
        store = List.copyOf(store);
        then = List.copyOf(then);
    }

    /** Returns whether a message that comes in is stored with it. */
    boolean admits() {
        return then.stream()
                .anyMatch(effect -> effect instanceof Effect.Receive r && r.receipt() instanceof Receipt.Admitted);
    }

    /** A step that changes nothing. */
    static LaneStep none(LaneState state) {
        return new LaneStep(List.of(), List.of(), state, state, List.of(), false);
    }

    /** Collects a step. */
    static final class Draft {
        private final LaneState before;
        private final List<Precondition> require = new ArrayList<>();
        private final List<Change> store = new ArrayList<>();
        private final List<Effect> then = new ArrayList<>();
        private LaneState during;
        private LaneState after;
        private boolean ofTurn;

        Draft(LaneState before) {
            this.before = before;
            this.during = before;
            this.after = before;
        }

        LaneState before() {
            return before;
        }

        Draft require(List<? extends Precondition> more) {
            for (Precondition precondition : more) {
                if (!require.contains(precondition)) {
                    require.add(precondition);
                }
            }
            return this;
        }

        Draft require(Precondition one) {
            return require(List.of(one));
        }

        Draft store(List<? extends Change> more) {
            store.addAll(more);
            return this;
        }

        Draft store(Change one) {
            store.add(one);
            return this;
        }

        List<Change> stored() {
            return List.copyOf(store);
        }

        Draft then(Effect effect) {
            then.add(effect);
            return this;
        }

        Draft during(LaneState state) {
            during = state;
            return this;
        }

        Draft after(UnaryOperator<LaneState> change) {
            after = change.apply(after);
            return this;
        }

        Draft ofTurn() {
            ofTurn = true;
            return this;
        }

        LaneStep done() {
            return new LaneStep(require, store, during, after, then, ofTurn);
        }
    }
}
