package dev.parley.application.lane;

import dev.parley.domain.change.Precondition;
import dev.parley.domain.turn.PlatformMessage;

/** What became of a batch of the lane. */
sealed interface Outcome {
    /** It is stored. */
    record Stored() implements Outcome {}

    /**
     * It is not stored, because a message that comes in was received before.
     *
     * @param name the message
     */
    record Known(PlatformMessage name) implements Outcome {}

    /**
     * It is not stored, because something else was stored first: the same may be decided again on what is stored by now.
     *
     * @param failed what does not hold
     */
    record RaceLost(Precondition failed) implements Outcome {
        /** Returns whether the running turn belongs to another run by now, or to none. */
        boolean isByRun() {
            return failed instanceof Precondition.TurnClaimed;
        }
    }

    /** It is not stored, because another gateway works on the lane. */
    record LaneTaken() implements Outcome {}
}
