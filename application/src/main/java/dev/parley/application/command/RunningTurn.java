package dev.parley.application.command;

import dev.parley.application.port.AgentQuestion;
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
 * @param question what the agent has asked and waits for; absent where it waits for nothing
 * @param activity what the agent is doing; absent where there is nothing to say
 */
public record RunningTurn(
        TurnId turn,
        SessionId session,
        Instant startedAt,
        boolean started,
        Optional<AgentQuestion> question,
        Optional<String> activity) {}
