package dev.parley.application.port;

import dev.parley.domain.key.SessionKey;
import dev.parley.domain.session.Session;
import dev.parley.domain.session.SessionId;
import dev.parley.domain.usage.UsageSlot;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Reads the sessions. Consistent with the last commit of this process; safe for concurrent use. Every method throws
 * {@link StorageUnavailable} or {@link StorageCorrupt} rather than answer that nothing is there.
 */
public interface Sessions {
    /**
     * Returns whether the store keeps titles; the same for as long as it is open, and reads nothing. A store that keeps none refuses a
     * change that gives a session a title with {@link InvalidRequest}, finds no session by a title, and is never asked to store one by
     * the gateway.
     */
    default boolean keepsTitles() {
        return true;
    }

    /** Returns the session, or nothing. */
    Optional<Session> find(SessionId id);

    /** Returns sessions as rows of a list; see {@link SessionQuery}. */
    List<SessionListing> list(SessionQuery query);

    /**
     * Returns a page of a list: as many rows as {@link SessionQuery#limit()} says, from {@code after} on; the query's offset is not
     * looked at. Makes the whole list unless a store knows better.
     */
    default Page<SessionListing> page(SessionQuery query, Optional<Cursor> after) {
        return Scanned.sessions(list(query.window(-1, 0)), query, after);
    }

    /** Hands every session to {@code each}, oldest start first, then smallest id. */
    void forEach(Consumer<Session> each);

    /**
     * Returns the ids under which other software keeps sessions in this store that Parley does not accept (E2.6), of one source or of
     * all, in order. Every other read leaves these sessions out. A store that nobody shares has none.
     */
    default List<String> unusableIds(Optional<String> source) {
        return List.of();
    }

    /** Returns how many sessions there are, of one source or of all (storage 3.8). */
    long count(Optional<String> source);

    /** Returns the session with exactly this title, or nothing. */
    Optional<Session> findByTitle(String title);

    /**
     * Returns the sessions whose title is {@code base} or begins with {@code base}, a space and {@code #}, without regard to
     * ASCII case in the latter; newest start first, then greatest id (storage 3.4).
     */
    List<Session> titledLike(String base);

    /** Returns up to {@code limit} sessions whose id begins with {@code prefix}, without regard to ASCII case, by id. */
    List<Session> withIdPrefix(String prefix, int limit);

    /** Returns the sessions whose parent is this one, newest start first, then greatest id. */
    List<Session> childrenOf(SessionId id);

    /** Returns the sessions that were begun on this lane, newest start first, then greatest id. */
    List<Session> ofLane(SessionKey key, int limit);

    /** Returns the ended sessions begun before {@code before}, of one source or of all, by id (storage 3.8). */
    List<SessionId> endedBefore(Instant before, Optional<String> source);

    /** Returns the usage statistics of the store. */
    SessionStatistics statistics();

    /** Returns the slots of usage that begin at or after {@code from} and before {@code to}, by start, source and model. */
    List<UsageSlot> usage(Instant from, Instant to);
}
