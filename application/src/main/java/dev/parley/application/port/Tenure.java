package dev.parley.application.port;

import dev.parley.domain.turn.LifeId;

/** What came of taking a lane. */
public sealed interface Tenure {
    /**
     * The lane belongs to the life that asked.
     *
     * @param token the token that each batch of the lane stands on from now on
     * @param deaths how many lives in a row died with a turn of this lane
     */
    record Mine(long token, int deaths) implements Tenure {}

    /**
     * The lane belongs to another life.
     *
     * @param holder that life
     */
    record Elsewhere(LifeId holder) implements Tenure {}

    /** The life that asked is over: it takes nothing any more. */
    record Over() implements Tenure {}
}
