package dev.parley.application.turn;

import dev.parley.application.spi.Health;
import dev.parley.application.spi.Storage;
import dev.parley.domain.key.SessionKey;
import dev.parley.domain.session.SessionId;
import java.time.Instant;
import java.util.concurrent.ConcurrentHashMap;

/** Remembers who was told that what was said before cannot be read for now. Safe for concurrent use. */
public final class MissingContext {
    private final Storage storage;
    private final ConcurrentHashMap<SessionKey, Instant> told = new ConcurrentHashMap<>();

    /** Nobody was told. */
    public MissingContext(Storage storage) {
        this.storage = storage;
    }

    /**
     * Returns, once for each lane while the store is degraded, whether its people are to be told that what was said before cannot be
     * read for now (commit rule 9).
     */
    public boolean mustTell(SessionKey lane, SessionId session) {
        if (storage.transcripts().isWhole(session)) {
            told.remove(lane);
            return false;
        }
        return storage.maintenance()
                .health()
                .degraded()
                .map(Health.Degraded::since)
                .filter(since -> !since.equals(told.put(lane, since)))
                .isPresent();
    }
}
