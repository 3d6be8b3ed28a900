package dev.parley.application.port;

import dev.parley.domain.key.SessionKey;
import dev.parley.domain.session.SessionId;
import java.util.Optional;

/** Told about the life of sessions; runs at least once for each, keyed by session id. Failures are counted by the caller. */
public interface LifecycleHooks {
    /** A session has begun and its first turn is about to run (G3.22). */
    default void sessionStarted(SessionKey lane, SessionId session) {}

    /** A session is over: its lane goes on with {@code next}, or will begin anew with its next message (W10.4, Z12.1). */
    default void sessionFinalized(SessionKey lane, SessionId session, Optional<SessionId> next, String reason) {}

    /** A person began a session anew (Z12.1). */
    default void sessionReset(SessionKey lane, SessionId session) {}

    /** Nothing is told. */
    LifecycleHooks NONE = new LifecycleHooks() {};
}
