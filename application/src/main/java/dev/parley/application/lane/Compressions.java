package dev.parley.application.lane;

import dev.parley.domain.session.SessionId;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Remembers the latest sessions that could not be compressed before a turn: each is tried again before the next turn, and after a second
 * failure with pauses; its people are told once, until it succeeds. Safe for concurrent use.
 */
public final class Compressions {
    private static final int REMEMBERED = 10_000;
    private static final int AT_ONCE = 2;
    private static final Duration PAUSE = Duration.ofMinutes(10);

    private final Map<SessionId, Failures> failed = new LinkedHashMap<>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<SessionId, Failures> eldest) {
            return size() > REMEMBERED;
        }
    };

    /** No session failed to be compressed. */
    public Compressions() {}

    private record Failures(int count, Instant last) {}

    /** Returns whether a session may be compressed before its next turn: it failed once at most, or ten minutes ago. */
    boolean mayTry(SessionId session, Instant now) {
        synchronized (failed) {
            Failures failures = failed.get(session);
            return failures == null
                    || failures.count() < AT_ONCE
                    || Duration.between(failures.last(), now).abs().compareTo(PAUSE) >= 0;
        }
    }

    /** Returns whether the people of a session were told that it could not be compressed. */
    boolean isTold(SessionId session) {
        synchronized (failed) {
            return failed.containsKey(session);
        }
    }

    /** A session could not be compressed. */
    void fail(SessionId session, Instant at) {
        synchronized (failed) {
            Failures before = failed.remove(session);
            failed.put(session, new Failures(before == null ? 1 : before.count() + 1, at));
        }
    }

    /** A session was compressed: what failed before counts no more. */
    void succeed(SessionId session) {
        synchronized (failed) {
            failed.remove(session);
        }
    }
}
