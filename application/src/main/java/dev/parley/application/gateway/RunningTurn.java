package dev.parley.application.gateway;

import dev.parley.domain.session.SessionId;
import dev.parley.domain.turn.TurnId;
import java.time.Instant;
import java.util.Optional;

/**
 * A turn that is running, as commands see it.
 *
 * @param turn the turn
 * @param session its session
 * @param startedAt when it was claimed
 * @param started whether the agent has begun; false while the turn is being set up
 * @param activity what the agent is doing; absent where there is nothing to say
 */
public record RunningTurn(
        TurnId turn, SessionId session, Instant startedAt, boolean started, Optional<String> activity) {}
