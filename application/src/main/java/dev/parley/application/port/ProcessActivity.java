package dev.parley.application.port;

import dev.parley.domain.key.SessionKey;
import java.time.Instant;
import java.util.List;

/** Knows the background processes of the lanes: a lane with one is never reset, expired or pruned (R6.9). */
public interface ProcessActivity {
    /** Returns when each live background process of the lane was started; empty where it has none. */
    List<Instant> startedAt(SessionKey lane);

    /** No background processes anywhere. */
    ProcessActivity NONE = lane -> List.of();
}
