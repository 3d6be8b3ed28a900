package dev.parley.application.lane;

import dev.parley.application.port.StorageUnavailable;
import dev.parley.domain.change.Change;
import dev.parley.domain.change.Precondition;
import java.time.Duration;
import java.util.List;

/**
 * The lane as those of its parts see it that do more than decide: storing once, and what the lane does as a whole. Used by the actor's own
 * tasks only.
 */
interface LaneWork extends Deciding {
    /**
     * Commits changes of the lane once. Where the lane or the running turn turns out to be another's, what follows of that has happened
     * already.
     *
     * @throws StorageUnavailable where it is not known whether they were stored
     */
    Outcome storeOnce(List<Precondition> require, List<? extends Change> changes);

    /**
     * Takes the chats that a batch has messages to, for as long as the step lasts, so that each chat's messages are handed over in the order
     * in which they are stored. Where another batch is being stored for one of them the lane takes no task until that is over. The last
     * thing a step does where it returns false.
     *
     * @param later the step that follows once the chats are taken
     * @return whether they are now
     */
    boolean lockChats(List<? extends Change> changes, Runnable later);

    /** Takes on the state of a stored decision and has its effects happen, each guarded by itself. */
    void apply(LaneStep step);

    /** What is stored of the lane may be something else by now: it is read again before it is used. */
    void forget();

    /** Runs a task behind the others once {@code delay} has passed. */
    void after(Duration delay, Runnable task);

    /** Returns whether the lane takes no task now: it waits for the store, or for something that happens elsewhere. */
    boolean isPaused();

    /** Returns whether nothing goes on in the lane. */
    boolean isAtRest();

    /** Begins what is next, where the lane is free. */
    void next();

    /** Takes notice of messages that other gateways have stored for the lane. */
    void lookForPosted();

    /** Another gateway may work on the lane: what goes on here ends, and nothing is stored of it. Does nothing where it is not held. */
    void laneTaken();
}
