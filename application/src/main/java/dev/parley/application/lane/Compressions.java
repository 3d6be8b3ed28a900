package dev.parley.application.lane;

import dev.parley.domain.session.SessionId;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Remembers the latest sessions that could not be compressed before a turn, so that each is tried again after a pause and its people are
 * told once. Safe for concurrent use.
 */
public final class Compressions {
    private static final int REMEMBERED = 10_000;
    private static final Duration PAUSE = Duration.ofMinutes(10);

    private final Map<SessionId, Instant> failed = new LinkedHashMap<>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<SessionId, Instant> eldest) {
            return size() > REMEMBERED;
        }
    };

    /** No session failed to be compressed. */
    public Compressions() {}

    /** Returns whether a session may be compressed before its next turn: it never failed, or ten minutes ago. */
    boolean mayTry(SessionId session, Instant now) {
        synchronized (failed) {
            Instant last = failed.get(session);
            return last == null || Duration.between(last, now).abs().compareTo(PAUSE) >= 0;
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
            failed.put(session, at);
        }
    }
}
