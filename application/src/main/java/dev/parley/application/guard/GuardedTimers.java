package dev.parley.application.guard;

import dev.parley.application.port.Timers;
import java.time.Duration;
import java.util.Optional;

/**
 * Timers that throw nothing: what they refuse does not run, and the operator is told.
 *
 * @param timers the timers
 * @param guard tells their failures
 */
public record GuardedTimers(Timers timers, Guard guard) implements Timers {
    @Override
    public Timer after(Duration delay, Runnable task) {
        Timer timer =
                guard.get(Optional.empty(), "A timer could not be set.", () -> timers.after(delay, task), () -> {});
        return () -> guard.run(Optional.empty(), "A timer could not be cancelled.", timer::cancel);
    }
}
