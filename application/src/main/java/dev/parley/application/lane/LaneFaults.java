package dev.parley.application.lane;

import dev.parley.application.actor.Backoff;
import dev.parley.application.port.StorageCorrupt;
import dev.parley.application.port.StorageUnavailable;
import dev.parley.application.settings.Turns;
import dev.parley.application.turn.TurnPlan;
import dev.parley.application.turn.TurnWatch;
import dev.parley.domain.turn.InboundId;
import dev.parley.domain.turn.TurnReason;
import dev.parley.domain.usage.TokenUsage;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * What becomes of a lane when a task of it fails for good, or when the store does not say what is stored: what runs ends honestly, what
 * cannot be ended now is ended later, and the lane goes on. Used by the lane's own tasks.
 */
final class LaneFaults {
    private static final Duration CATCH_UP = Duration.ofSeconds(5);
    private static final Backoff GIVEN_UP = new Backoff(CATCH_UP, 6);
    private static final String BROKEN = "Something went wrong inside the gateway. Please try again.";

    private final LaneWork lane;
    private final Takeover takeover;
    private final TurnDriver turns;
    private final SummaryDriver summaries;
    private final LaneClock clock;
    private final Turns settings;
    private final LaneReading reading;
    private final Outlets outlets;
    private final Senders senders;
    private final WorkingAgent agent;

    private int faults;
    /** A turn that may be stored as claimed though nobody works on it. */
    private Optional<TurnPlan> unended = Optional.empty();
    /** How often in a row the lane was given up for a while. */
    private int givenUp;
    /** Whether something may be stored that is not known here. */
    private boolean unknown;

    LaneFaults(
            LaneWork lane,
            Takeover takeover,
            TurnDriver turns,
            SummaryDriver summaries,
            LaneClock clock,
            Turns settings,
            LaneReading reading,
            Outlets outlets,
            Senders senders,
            WorkingAgent agent) {
        this.lane = lane;
        this.takeover = takeover;
        this.turns = turns;
        this.summaries = summaries;
        this.clock = clock;
        this.settings = settings;
        this.reading = reading;
        this.outlets = outlets;
        this.senders = senders;
        this.agent = agent;
    }

    /** Returns whether nothing of it is left to be set right. */
    boolean areOver() {
        return !unknown && unended.isEmpty() && givenUp == 0;
    }

    /** A turn has begun: nothing fails in a row. */
    void turnBegins() {
        faults = 0;
    }

    /** The lane was read again: it is not given up any more. */
    void goesOn() {
        givenUp = 0;
    }

    /** The lane is worked on elsewhere: what is to be set right is set right there. */
    void laneTaken() {
        unended = Optional.empty();
        unknown = false;
        givenUp = 0;
    }

    // ------------------------------------------------------------------ a task failed

    /** A task failed for good: what runs ends honestly, so that the lane goes on. What cannot even be ended now is ended later. */
    void failed(Throwable failure) {
        senders.fail(BROKEN);
        faults++;
        TurnSlot slot = lane.state().slot();
        lane.forget();
        if (faults > Deciding.ATTEMPTS) {
            faults = 0;
            giveUpForNow(slot, failure);
        } else if (slot.active().isPresent()) {
            // It may still work, and is not given to the next turn then.
            agent.supersede("Failed");
            turns.fail(slot.active().get(), TurnReason.STORAGE, BROKEN);
        } else if (slot.planned().isPresent()) {
            unended = slot.planned();
            freeWithoutAgent("Failed");
            lane.afterwards(lane::next);
        } else if (slot instanceof TurnSlot.Summarising summarising) {
            freeWithoutAgent("Failed");
            summaries.fail(summarising, BROKEN);
        } else {
            lane.afterwards(lane::next);
        }
    }

    private void giveUpForNow(TurnSlot slot, Throwable failure) {
        unended = slot.planned().or(() -> unended);
        lane.trouble("The lane is given up for a while; what it was asked stays in the queue.", failure);
        freeWithoutAgent("Failed");
        lane.become(LaneState.UNKNOWN);
        senders.closeAll(BROKEN);
        givenUp++;
        lane.after(GIVEN_UP.pause(givenUp - 1, clock.timing().ids()), () -> {
            lane.forget();
            if (takeover.isHere()) {
                lane.next();
            } else {
                laneTaken();
            }
        });
    }

    /** The lane is free, and nobody waits for what its agent still does. */
    void freeWithoutAgent(String reason) {
        List<InboundId> awaited = lane.state().slot().awaited();
        lane.become(lane.state().with(TurnSlot.free()));
        agent.supersede(reason);
        senders.close(awaited, "The turn was stopped.");
    }

    // ------------------------------------------------------------------ a claim nobody works on

    /**
     * Ends a turn that may be stored as claimed though nobody works on it; the lane goes on once it is not. The last thing a step does.
     *
     * @return whether there is such a turn
     */
    boolean endClaim() {
        Optional<TurnPlan> plan = unended;
        plan.ifPresent(this::end);
        return plan.isPresent();
    }

    private void end(TurnPlan plan) {
        lane.load();
        if (endClaim(lane.state(), plan).store().isEmpty()) {
            // Its end may have been stored though the store said otherwise: then its answer waits to be delivered.
            deliverMissed();
            unended = Optional.empty();
            lane.afterwards(lane::next);
        } else {
            lane.decide((state, attempt) -> endClaim(state, plan));
        }
    }

    /** A claim of which it is not known whether it was stored ends: its messages leave the queue, or its turn ends with them. */
    private LaneStep endClaim(LaneState state, TurnPlan plan) {
        if (Claiming.isUnclaimed(state, plan.parts())) {
            return Claiming.giveUp(state, plan.parts(), BROKEN, "failed", clock.moment());
        }
        if (!reading.isClaimed(plan.turn())) {
            return LaneStep.none(state);
        }
        TurnWork turn = TurnWork.of(plan, TurnWatch.begun(settings, plan.turn().startedAt(), clock.now()));
        return TurnEnding.failed(state, turn, TurnReason.STORAGE, BROKEN, TokenUsage.NONE, 0, clock.moment());
    }

    // ------------------------------------------------------------------ the store did not answer

    /** The store did not answer, so something may be stored that is not known here: it is looked for once the store answers. */
    void catchUpLater() {
        if (!unknown) {
            unknown = true;
            lane.after(CATCH_UP, this::catchUp);
        }
    }

    /** Looks what is stored that is not known here, where that is to be done. */
    void catchUp() {
        if (!unknown) {
            return;
        }
        unknown = false;
        lane.forget();
        try {
            if (!takeover.isHere()) {
                return;
            }
            lane.load();
            deliverMissed();
        } catch (StorageUnavailable | StorageCorrupt e) {
            lane.forget();
            catchUpLater();
            return;
        }
        lane.next();
    }

    /** Delivers what is stored for the lane's chats and may never have been handed over. */
    private void deliverMissed() {
        outlets.deliveries().addMissed(() -> reading.undelivered(clock.lane()), reading::undelivered);
    }
}
