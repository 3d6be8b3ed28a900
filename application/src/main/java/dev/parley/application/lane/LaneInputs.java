package dev.parley.application.lane;

import dev.parley.domain.turn.Inbound;
import java.util.concurrent.CompletableFuture;

/**
 * Has each input taken care of by that part of the lane whose business it is. Used by the lane's own tasks.
 *
 * @param lane the lane's actor
 * @param work the rest of the lane
 * @param takeover whose the lane is
 * @param intake takes in what comes from chats
 * @param turns the running turn
 * @param summaries the summary under way
 * @param nexts what a free lane does
 * @param faults what went wrong
 * @param commands has commands decide
 * @param senders those who wait for receipts and answers
 * @param agent the agent that works
 * @param clock the lane's clock
 */
record LaneInputs(
        Storing lane,
        Work work,
        Takeover takeover,
        Intake intake,
        TurnDriver turns,
        SummaryDriver summaries,
        NextDriver nexts,
        LaneFaults faults,
        CommandDecider commands,
        Senders senders,
        WorkingAgent agent,
        LaneClock clock) {
    /** What an input has the lane as a whole do. */
    interface Work {
        /** Begins what is next, where the lane is free. */
        void next();

        /** Takes notice of messages that other gateways have stored for the lane. */
        void posted();

        /** Another gateway may work on the lane: what goes on here ends, and nothing is stored of it. */
        void lost();

        /** Tells the people of the running turn of a stop. */
        void banner(Stopping stop);
    }

    /** Takes care of it. The last thing a step does. */
    void handle(LaneInput input) {
        if (input instanceof LaneInput.Arrived arrived) {
            intake.arrive(arrived);
        } else if (input instanceof LaneInput.Occurred occurred) {
            intake.occur(occurred);
        } else if (input instanceof LaneInput.Reported reported) {
            turns.reported(reported.run(), reported.report());
        } else if (input instanceof LaneInput.Summarised summary) {
            summaries.there(summary.report());
        } else if (input instanceof LaneInput.Posted) {
            work.posted();
        } else if (input instanceof LaneInput.Lost) {
            work.lost();
        } else if (input instanceof LaneInput.WhileIdle idle) {
            whileIdle(idle.task());
        } else if (!goOn(input) && !order(input)) {
            stop(input);
        }
    }

    /** There may be something to do. */
    private boolean goOn(LaneInput input) {
        if (input instanceof LaneInput.Wake) {
            work.next();
        } else if (input instanceof LaneInput.Refresh) {
            lane.forget();
            work.next();
        } else if (input instanceof LaneInput.CatchUp) {
            faults.catchUp();
        } else if (input instanceof LaneInput.Resume) {
            lane.forget();
            nexts.resume();
        } else {
            return false;
        }
        return true;
    }

    /** What an operator asks of a lane; one that is worked on elsewhere is asked there. */
    private boolean order(LaneInput input) {
        if (input instanceof LaneInput.Ordered ordered) {
            if (isHere(ordered.done())) {
                senders.order(ordered.done());
                lane.load();
                lane.ask(
                        CommandDecider.UNASKED,
                        commands.asking(CommandDecider.ordering(lane.state())),
                        CommandDecider.Asked.NOTHING,
                        asked -> lane.decideAsking(
                                CommandDecider.UNDECIDED,
                                (state, attempt) -> commands.deciding(state, ordered, asked, attempt),
                                CommandDecider.Order.GIVEN_UP,
                                commands::ordered));
            }
        } else if (input instanceof LaneInput.Withdrawn withdrawn) {
            if (isHere(withdrawn.done())) {
                senders.order(withdrawn.done());
                lane.load();
                lane.decide((state, attempt) -> Withdrawing.drop(state, withdrawn.message(), clock.moment()));
            }
        } else if (input instanceof LaneInput.Interrupted interrupted) {
            if (isHere(interrupted.done())) {
                interrupted.done().complete(turns.interrupt(Cause.OPERATOR, "Interrupted by the user"));
            }
        } else {
            return false;
        }
        return true;
    }

    private boolean isHere(CompletableFuture<Boolean> asked) {
        boolean here = takeover.isHere();
        if (!here) {
            asked.completeExceptionally(takeover.elsewhere());
        }
        return here;
    }

    /** What a stop of the gateway asks of a lane. */
    private void stop(LaneInput input) {
        if (input instanceof LaneInput.Dismissed) {
            senders.close(
                    lane.state().waiting().messages().stream().map(Inbound::id).toList(), Admitting.KEPT);
        } else if (input instanceof LaneInput.Bannered bannered) {
            work.banner(bannered.stop());
        } else if (input instanceof LaneInput.CutOff cut) {
            lane.decide((state, attempt) -> Draining.cutOff(state, cut.stop(), clock.moment()));
        } else if (input instanceof LaneInput.Abandoned) {
            if (lane.state().slot().isSummarising()) {
                lane.become(lane.state().with(TurnSlot.free()));
                agent.supersede("Stop requested");
            }
            turns.abandon();
        }
    }

    private void whileIdle(Runnable task) {
        if (!takeover.isHere()) {
            return;
        }
        lane.load();
        if (lane.state().slot().isFree() && lane.state().waiting().isEmpty()) {
            lane.forget();
            task.run();
        }
    }
}
