package dev.parley.application.lane;

import dev.parley.application.port.StorageUnavailable;
import dev.parley.domain.change.Change;
import dev.parley.domain.change.CommitResult;
import dev.parley.domain.change.Precondition;
import java.util.List;

/** What the parts of a lane's actor ask of it that say themselves what a lost race means. Used by the actor's own tasks only. */
interface Storing extends Deciding {
    /**
     * Commits changes of the lane once.
     *
     * @throws StorageUnavailable where it is not known whether they were stored
     */
    CommitResult storeOnce(List<Precondition> require, List<? extends Change> changes);

    /** Takes on the state of a stored decision and has its effects happen, each guarded by itself. */
    void apply(LaneStep step);

    /** What is stored of the lane may be something else by now: it is read again before it is used. */
    void forget();

    /** Returns whether the lane takes no task now: it waits for the store, or for something that happens elsewhere. */
    boolean isPaused();
}
