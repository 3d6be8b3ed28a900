package dev.parley.contracts.testing;

import dev.parley.application.port.LifecycleHooks;
import dev.parley.domain.key.SessionKey;
import dev.parley.domain.session.SessionId;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;

/** Keeps every call of the hooks as a line such as {@code finalized S1 expired}. Safe for concurrent use. */
public final class RecordingHooks implements LifecycleHooks {
    private final List<String> calls = new CopyOnWriteArrayList<>();
    private volatile int failures;

    /** Nothing was called yet. */
    public RecordingHooks() {}

    /** Lets the next {@code count} calls fail after they were recorded. */
    public void failNext(int count) {
        failures = count;
    }

    /** Returns all calls, in order. */
    public List<String> calls() {
        return List.copyOf(calls);
    }

    @Override
    public void sessionStarted(SessionKey lane, SessionId session) {
        record("started " + session);
    }

    @Override
    public void sessionFinalized(SessionKey lane, SessionId session, Optional<SessionId> next, String reason) {
        record("finalized " + session + " " + reason);
    }

    @Override
    public void sessionReset(SessionKey lane, SessionId session) {
        record("reset " + session);
    }

    private synchronized void record(String call) {
        calls.add(call);
        if (failures > 0) {
            failures--;
            throw new IllegalStateException("The hook was told to fail: " + call);
        }
    }
}
