package dev.parley.application.port;

import dev.parley.domain.key.SessionKey;
import dev.parley.domain.session.ModelOverride;
import dev.parley.domain.session.SessionId;
import dev.parley.domain.source.SessionSource;
import java.util.Optional;

/**
 * What an agent is made for. Agents are kept per lane and used again as long as the signature made from this stays the same
 * (A11.2, A11.3).
 *
 * @param lane the lane
 * @param session the session it is first used for
 * @param source who talks
 * @param prompt the context prompt (X9); holds nothing that changes with every message
 * @param override a model chosen for the lane
 */
public record AgentSpec(
        SessionKey lane, SessionId session, SessionSource source, String prompt, Optional<ModelOverride> override) {}
