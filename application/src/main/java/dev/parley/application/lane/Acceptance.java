package dev.parley.application.lane;

import dev.parley.application.port.ParleyException;
import dev.parley.application.port.Receipt;
import dev.parley.application.port.StorageCorrupt;
import dev.parley.application.port.StorageUnavailable;
import dev.parley.domain.change.Precondition;
import dev.parley.domain.turn.PlatformMessage;
import java.util.ArrayList;
import java.util.List;

/**
 * Stores what platforms hand in, once, and tells them what became of it. Nobody was promised anything yet: what cannot be stored is refused
 * instead of repeated. Used by the lane's own tasks.
 *
 * @param lane the lane's actor
 * @param senders those who wait for receipts and answers
 * @param reading finds what came before
 * @param faults looks for what may be stored without the lane's knowledge
 */
record Acceptance(LaneWork lane, Senders senders, LaneReading reading, LaneFaults faults) {
    /** Takes the first step with what was handed in, unless it was refused meanwhile. */
    void take(LaneInput.HandedIn input, Runnable step) {
        if (senders.take(input)) {
            goOn(input, step);
        }
    }

    /** Takes a further step with it, once a plug-in has answered; where the step fails it is refused, not kept waiting. */
    void goOn(LaneInput.HandedIn input, Runnable step) {
        try {
            step.run();
        } catch (StorageUnavailable | StorageCorrupt e) {
            refuse(input, String.valueOf(e.getMessage()), e);
        } catch (Throwable e) {
            refuse(
                    input,
                    e instanceof ParleyException
                            ? String.valueOf(e.getMessage())
                            : "Something went wrong inside the gateway; try again.",
                    e);
            throw e;
        } finally {
            if (!lane.isPaused()) {
                senders.taken();
            }
        }
    }

    /**
     * Stores what was decided of it and applies the decision.
     *
     * @param again decides another time, behind what somebody else has stored first
     */
    void store(LaneInput.HandedIn input, LaneStep step, Runnable again) {
        Runnable storing = () -> storeOnce(input, step, again);
        if (lane.lockChats(step.store(), () -> goOn(input, storing))) {
            storing.run();
        }
    }

    private void storeOnce(LaneInput.HandedIn input, LaneStep step, Runnable again) {
        List<Precondition> require = new ArrayList<>();
        if (step.admits()) {
            input.name().ifPresent(name -> require.add(new Precondition.NotReceived(name)));
        }
        require.addAll(step.require());
        Outcome outcome = step.store().isEmpty() ? new Outcome.Stored() : lane.storeOnce(require, step.store());
        if (outcome instanceof Outcome.Stored) {
            senders.listen(step, input.answer());
            lane.apply(step);
        } else if (outcome instanceof Outcome.Known known) {
            repeated(input, known.name());
        } else {
            if (outcome instanceof Outcome.RaceLost) {
                lane.load();
            }
            lane.afterwards(() -> take(input, again));
        }
    }

    /** It was received before. */
    void repeated(LaneInput.HandedIn input, PlatformMessage name) {
        input.receipt()
                .complete(reading.received(name)
                        .<Receipt>map(before -> new Receipt.Duplicate(before.id(), before.lane()))
                        .orElseGet(() -> new Receipt.Unavailable(
                                "The message seems to be known but cannot be found; try again.")));
        input.answer().closed(Admitting.REPEATED);
        lane.afterwards(faults::catchUp);
    }

    private void refuse(LaneInput.HandedIn input, String why, Throwable failure) {
        lane.forget();
        lane.trouble("What a platform has handed in could not be stored.", failure);
        input.receipt().complete(new Receipt.Unavailable(why));
        input.answer().closed(why);
        faults.catchUpLater();
    }
}
