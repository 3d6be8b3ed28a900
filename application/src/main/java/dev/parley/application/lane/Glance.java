package dev.parley.application.lane;

import dev.parley.application.port.AgentRun;
import java.time.Instant;
import java.util.Optional;

/**
 * What a look at the running agent showed.
 *
 * @param engagement what an interrupt would ruin now; absent where nothing
 * @param lastActivity when the turn last did something
 * @param doing what it is doing, for display
 */
record Glance(Optional<AgentRun.Engagement> engagement, Instant lastActivity, Optional<String> doing) {}
