package dev.parley.application.turn;

import dev.parley.domain.turn.RunId;

/** Takes what running turns report, from any thread, and returns at once. */
@FunctionalInterface
public interface TurnSink {
    /** Takes one report; those of one run come in order. A run that is not the lane's any more is left out. */
    void report(RunId run, TurnReport report);
}
