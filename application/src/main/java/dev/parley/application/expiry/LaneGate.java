package dev.parley.application.expiry;

import dev.parley.domain.key.SessionKey;

/** The single entry point to a lane: how something happens to it while nothing else of it does. */
public interface LaneGate {
    /**
     * Runs {@code task} as the lane's own, before this returns or soon after, while no turn and no command of the lane runs. Where a
     * turn is running, does nothing: the caller asks again later (W10.8). The task reads the lane anew, and whoever keeps it in memory
     * reads it anew afterwards.
     */
    void whileIdle(SessionKey lane, Runnable task);

    /** Runs every task at once, for a store that no gateway is running on. */
    LaneGate OPEN = (lane, task) -> task.run();
}
