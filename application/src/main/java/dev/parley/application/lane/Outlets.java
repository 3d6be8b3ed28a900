package dev.parley.application.lane;

import dev.parley.application.agents.AgentCache;
import dev.parley.application.delivery.Connections;
import dev.parley.application.delivery.Deliveries;
import dev.parley.application.delivery.TurnShows;
import dev.parley.application.guard.LifecycleCalls;

/**
 * Where a lane's effects go beyond its turn. Safe for concurrent use.
 *
 * @param deliveries delivers messages
 * @param connections which platforms are able to send
 * @param hooks calls the hooks
 * @param cache keeps agents
 * @param turnedAway remembers who was told
 * @param shows what people see of running turns
 * @param compressions remembers which sessions could not be compressed
 */
public record Outlets(
        Deliveries deliveries,
        Connections connections,
        LifecycleCalls hooks,
        AgentCache cache,
        TurnedAway turnedAway,
        TurnShows shows,
        Compressions compressions) {}
