package dev.parley.application.replay;

import dev.parley.application.port.ProcessActivity;
import dev.parley.domain.key.SessionKey;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Background processes as a script says. Safe for concurrent use. */
public final class ScriptedActivity implements ProcessActivity {
    private final Map<SessionKey, List<Instant>> running = new ConcurrentHashMap<>();

    /** No background processes yet. */
    public ScriptedActivity() {}

    /** Sets a lane's background processes, by their start; an empty list where they have ended. */
    public void set(SessionKey lane, List<Instant> startedAt) {
        running.put(lane, List.copyOf(startedAt));
    }

    @Override
    public List<Instant> startedAt(SessionKey lane) {
        return running.getOrDefault(lane, List.of());
    }
}
