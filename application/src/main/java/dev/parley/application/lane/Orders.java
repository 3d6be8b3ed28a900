package dev.parley.application.lane;

import java.util.concurrent.CompletableFuture;

/**
 * What operators ask of a lane. Where it is worked on elsewhere they are told so, and ask there. Used by the lane's own tasks.
 *
 * @param lane the lane's actor
 * @param takeover whose the lane is
 * @param commands has orders decide
 * @param senders who waits for what was ordered
 * @param turns the running turn
 * @param clock the lane's clock
 */
record Orders(
        LaneWork lane, Takeover takeover, CommandRuns commands, Senders senders, TurnDriver turns, LaneClock clock) {
    /** Does something to the lane that nobody in it asked for. */
    void follow(LaneInput.Ordered ordered) {
        if (isHere(ordered.done())) {
            senders.order(ordered.done());
            lane.load();
            commands.follow(lane, ordered);
        }
    }

    /** Drops a message that waits. */
    void withdraw(LaneInput.Withdrawn withdrawn) {
        if (isHere(withdrawn.done())) {
            senders.order(withdrawn.done());
            lane.load();
            lane.decide((state, attempt) -> Withdrawing.drop(state, withdrawn.message(), clock.moment()));
        }
    }

    /** Asks the running turn to end. */
    void interrupt(LaneInput.Interrupted interrupted) {
        if (isHere(interrupted.done())) {
            interrupted.done().complete(turns.interrupt(Cause.OPERATOR, "Interrupted by the user"));
        }
    }

    private boolean isHere(CompletableFuture<Boolean> asked) {
        boolean here = takeover.isHere();
        if (!here) {
            asked.completeExceptionally(takeover.elsewhere());
        }
        return here;
    }
}
