package dev.parley.persistence.jsonl.state;

import dev.parley.domain.change.Change;
import dev.parley.domain.session.SessionId;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The sessions whose first line is behind, by how long nothing has happened in them. Each is written once it was idle for a minute,
 * with the next batch, one a second at most, so that no batch waits for many files (storage 7.6).
 */
final class Idle {
    private static final Duration ENOUGH = Duration.ofMinutes(1);
    private static final Duration APART = Duration.ofSeconds(1);

    private final Store store;
    private final InstantSource clock;
    /** When something last happened in each, the longest ago first. */
    private final Map<SessionId, Instant> behind = new LinkedHashMap<>();

    private Instant notBefore = Instant.EPOCH;

    /** Looks after the sessions of a store that was opened just now. */
    Idle(Store store, InstantSource clock) {
        this.store = store;
        this.clock = clock;
        Instant now = clock.instant();
        store.allStored().stream().filter(stored -> !stored.settled).forEach(stored -> behind.put(stored.id(), now));
    }

    /** Takes note of what a batch did. */
    void saw(Plan plan) {
        Set<SessionId> active = new LinkedHashSet<>(plan.appended());
        for (Change change : plan.batch().changes()) {
            if (change instanceof Change.PutTurn put) {
                active.add(put.turn().session());
            }
        }
        Instant now = clock.instant();
        for (SessionId id : active) {
            behind.remove(id);
            if (store.stored(id).filter(stored -> !stored.settled).isPresent()) {
                behind.put(id, now);
            }
        }
    }

    /** Returns the session that is to be written now, and forgets it; nothing where none is. */
    Optional<StoredSession> next() {
        Instant now = clock.instant();
        if (now.isBefore(notBefore)) {
            return Optional.empty();
        }
        Iterator<Map.Entry<SessionId, Instant>> longestAgo = behind.entrySet().iterator();
        while (longestAgo.hasNext()) {
            Map.Entry<SessionId, Instant> each = longestAgo.next();
            if (each.getValue().plus(ENOUGH).isAfter(now)) {
                return Optional.empty();
            }
            longestAgo.remove();
            Optional<StoredSession> found = store.stored(each.getKey()).filter(stored -> !stored.settled);
            if (found.isPresent()) {
                notBefore = now.plus(APART);
                return found;
            }
        }
        return Optional.empty();
    }
}
