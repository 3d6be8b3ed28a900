package dev.parley.application.store;

import dev.parley.domain.change.Change;
import dev.parley.domain.change.LaneEvent;
import dev.parley.domain.change.Precondition;
import dev.parley.domain.session.Lane;
import dev.parley.domain.session.SessionId;
import java.util.List;
import java.util.Optional;

/**
 * A change of a lane, ready to be part of a batch. The caller may add to both lists; the lane is as described once the
 * batch is stored.
 *
 * @param before the lane as it was read; absent where it did not exist
 * @param after the lane as it will be; absent where it is removed
 * @param preconditions what must hold
 * @param changes what is stored, in order
 */
public record Transition(
        Optional<Lane> before, Optional<Lane> after, List<Precondition> preconditions, List<Change> changes) {
    public Transition {
        preconditions = List.copyOf(preconditions);
        changes = List.copyOf(changes);
    }

    /** Returns the lines of history among the changes, in order; they are told as transitions once stored. */
    public List<LaneEvent> history() {
        return changes.stream()
                .filter(Change.AppendHistory.class::isInstance)
                .map(c -> ((Change.AppendHistory) c).event())
                .toList();
    }

    /** Returns the session that the lane leaves, where it has another one or none afterwards. */
    public Optional<SessionId> left() {
        Optional<SessionId> old = before.map(lane -> lane.entry().sessionId());
        return old.equals(after.map(lane -> lane.entry().sessionId())) ? Optional.empty() : old;
    }

    /** Returns true where nothing is to be stored. */
    public boolean isEmpty() {
        return changes.isEmpty();
    }
}
