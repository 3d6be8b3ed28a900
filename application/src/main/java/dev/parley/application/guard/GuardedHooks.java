package dev.parley.application.guard;

import dev.parley.application.port.LifecycleHooks;
import dev.parley.domain.key.SessionKey;
import dev.parley.domain.session.SessionId;
import dev.parley.domain.transcript.Message;
import java.util.List;
import java.util.Optional;

/**
 * Hooks whose every failure is an exception, so that whoever counts failures sees all. The turn of a hook that fails before a run
 * runs without what it would have added.
 *
 * @param hooks the hooks
 * @param guard tells failures before runs
 */
public record GuardedHooks(LifecycleHooks hooks, Guard guard) implements LifecycleHooks {
    private static final String NAME = "A hook";

    @Override
    public void sessionStarted(SessionKey lane, SessionId session) {
        Guard.unchecked(NAME, () -> hooks.sessionStarted(lane, session));
    }

    @Override
    public void sessionFinalized(SessionKey lane, SessionId session, Optional<SessionId> next, String reason) {
        Guard.unchecked(NAME, () -> hooks.sessionFinalized(lane, session, next, reason));
    }

    @Override
    public void sessionReset(SessionKey lane, SessionId session) {
        Guard.unchecked(NAME, () -> hooks.sessionReset(lane, session));
    }

    @Override
    public List<Message> beforeRun(SessionKey lane, SessionId session, Message input) {
        return guard.get(
                Optional.of(lane),
                "A hook failed; the turn runs without what it would have added.",
                () -> List.copyOf(hooks.beforeRun(lane, session, input)),
                List.of());
    }
}
