package dev.parley.application.actor;

import dev.parley.application.port.Ids;
import java.time.Duration;

/**
 * How long to wait before something is tried again: twice as long after each failure, up to a limit, and up to a quarter longer
 * by chance, so that many who wait do not come at once.
 *
 * @param first the pause after the first failure
 * @param doublings how often it is doubled at most
 */
public record Backoff(Duration first, int doublings) {
    /**
     * Returns the next pause.
     *
     * @param failures how often it has failed before the failure that is waited for now; 0 for the first
     */
    public Duration pause(int failures, Ids ids) {
        Duration pause = first.multipliedBy(1L << Math.min(Math.max(failures, 0), doublings));
        return pause.plus(ids.jitter(Duration.ZERO, pause.dividedBy(4)));
    }
}
