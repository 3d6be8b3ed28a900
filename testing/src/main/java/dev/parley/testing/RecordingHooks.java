package dev.parley.testing;

import dev.parley.application.port.LifecycleHooks;
import dev.parley.domain.key.SessionKey;
import dev.parley.domain.session.SessionId;
import dev.parley.domain.transcript.Message;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;

/** Keeps every call of the hooks as a line such as {@code finalized S1 expired}. Safe for concurrent use. */
public final class RecordingHooks implements LifecycleHooks {
    private final List<String> calls = new CopyOnWriteArrayList<>();
    private volatile int failures;
    private volatile List<Message> injected = List.of();

    /** Nothing was called yet. */
    public RecordingHooks() {}

    /** Lets the next {@code count} calls fail after they were recorded. */
    public void failNext(int count) {
        failures = count;
    }

    /** Puts these before the input of every run from now on. */
    public void inject(Message... messages) {
        injected = List.of(messages);
    }

    /** Returns all calls but those before runs, in order. */
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

    @Override
    public synchronized List<Message> beforeRun(SessionKey lane, SessionId session, Message input) {
        if (failures > 0) {
            failures--;
            throw new IllegalStateException("The hook was told to fail before a run of " + session);
        }
        return injected;
    }

    private synchronized void record(String call) {
        calls.add(call);
        if (failures > 0) {
            failures--;
            throw new IllegalStateException("The hook was told to fail: " + call);
        }
    }
}
