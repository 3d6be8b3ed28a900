package dev.parley.domain.session;

import dev.parley.domain.key.SessionKey;
import dev.parley.domain.source.SessionSource;
import java.util.Optional;

/**
 * Whom a session talks to: its lane and the source that began it. Decides who may see it (Z12.4) and which lane it may be
 * recovered for (G3.16).
 *
 * @param key the lane
 * @param origin the source; absent where only the lane is known
 */
public record SessionPeer(SessionKey key, Optional<SessionSource> origin) {}
