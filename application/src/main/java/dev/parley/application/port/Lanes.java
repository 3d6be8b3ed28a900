package dev.parley.application.port;

import dev.parley.domain.change.LaneEvent;
import dev.parley.domain.key.SessionKey;
import dev.parley.domain.session.Lane;
import dev.parley.domain.session.SessionId;
import dev.parley.domain.turn.Hold;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Reads the lanes. Consistent with the last commit of this process; safe for concurrent use. Finding one lane costs the same
 * however many there are. Every method throws {@link StorageUnavailable} or {@link StorageCorrupt} rather than answer that
 * nothing is there.
 */
public interface Lanes {
    /** Hands every lane to {@code each}, in the order of their keys, without holding them all. */
    void forEach(Consumer<Lane> each);

    /** Returns the lane with this key, or nothing. */
    Optional<Lane> find(SessionKey key);

    /** Returns a lane whose current session is this one, the smallest key first, or nothing. */
    Optional<Lane> findBySession(SessionId session);

    /** Returns how many lanes there are. */
    long count();

    /** Returns who works on a lane, which need not exist; {@link Hold#NONE} for one that nobody ever took. */
    Hold hold(SessionKey key);

    /** Returns the newest {@code limit} lines of a lane's history, last appended first; empty for a lane without one. */
    List<LaneEvent> history(SessionKey key, int limit);

    /** Hands every line of history at or after {@code since} to {@code each}, in the order appended. */
    void forEachEvent(Instant since, Consumer<LaneEvent> each);

    /**
     * Returns a page of lanes; see {@link LaneQuery}. A lane that nobody touches while all pages are asked for is on exactly one of
     * them. A page for a text may be short, or empty, and go on all the same. Looks at every lane unless a store knows better.
     */
    default Page<Lane> page(LaneQuery query) {
        return Scanned.lanes(this::forEach, query);
    }

    /** Returns a page of history; see {@link EventQuery}. Looks at every line unless a store knows better. */
    default Page<LaneEvent> events(EventQuery query) {
        return Scanned.events(each -> forEachEvent(Instant.EPOCH, each), query);
    }
}
