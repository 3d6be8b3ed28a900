package dev.parley.application.expiry;

import dev.parley.domain.key.SessionKey;

/** How the expiry watcher does something to a lane while nothing else happens to it. */
public interface LaneGate {
    /**
     * Runs {@code task} as the lane's own, before this returns or soon after, while no turn and no command of the lane runs. Where a
     * turn is running, does nothing: the caller asks again later (W10.8). The task reads the lane anew, and whoever keeps it in memory
     * reads it anew afterwards.
     */
    void whileIdle(SessionKey lane, Runnable task);
}
