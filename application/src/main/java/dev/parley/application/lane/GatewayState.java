package dev.parley.application.lane;

import dev.parley.domain.key.SessionKey;
import java.util.Optional;

/** What a lane asks of the gateway it belongs to. Safe for concurrent use. */
public interface GatewayState {
    /** Returns the stop that has begun; absent while the gateway runs. */
    Optional<Stopping> stopping();

    /** Returns whether an operator holds new turns back (P7.49). */
    boolean isHeld();

    /** Returns why what waits does not begin now; absent where it does. A stop counts for more than an operator's hold. */
    default Optional<Standstill> standstill() {
        return stopping()
                .map(stop -> new Standstill(stop.queued(), true))
                .or(() -> isHeld() ? Optional.of(new Standstill(Standstill.HELD, false)) : Optional.empty());
    }

    /** Returns why what waits in a lane does not begin now: that of the gateway, or that the lane is free and waits for a place. */
    default Optional<Standstill> standstill(SessionKey lane, LaneState state) {
        return standstill()
                .or(() -> state.slot().isFree() && places().isAwaitedBy(lane)
                        ? Optional.of(new Standstill(Standstill.CROWDED, false))
                        : Optional.empty());
    }

    /** Returns whether what the process before left of a lane is still to be set right, before anything begins in it (P7.2). */
    boolean awaitsRecovery(SessionKey lane);

    /** Returns the places of the running lanes. */
    Places places();

    /** A turn of a lane has succeeded (P7.13). */
    void succeeded(SessionKey lane);

    /** Asks the gateway to restart. */
    void restart();
}
