package dev.parley.application.guard;

import dev.parley.application.port.ProcessActivity;
import dev.parley.domain.key.SessionKey;
import java.time.Instant;
import java.util.List;

/**
 * A look-up of background processes whose every failure is an exception.
 *
 * @param activity the look-up
 */
public record GuardedActivity(ProcessActivity activity) implements ProcessActivity {
    @Override
    public List<Instant> startedAt(SessionKey lane) {
        return Guard.unchecked("The look-up of background processes", () -> activity.startedAt(lane));
    }
}
