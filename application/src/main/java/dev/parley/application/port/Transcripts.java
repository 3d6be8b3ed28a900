package dev.parley.application.port;

import dev.parley.domain.session.SessionId;
import dev.parley.domain.transcript.StoredMessage;
import java.util.Collection;
import java.util.List;
import java.util.function.Consumer;

/**
 * Reads what was said. Order is the order of storing, never a clock. Consistent with the last commit of this process; safe for
 * concurrent use. Every method throws {@link StorageUnavailable} or {@link StorageCorrupt} rather than answer that nothing is
 * there.
 */
public interface Transcripts {
    /** Returns the active messages of a session, in order; empty for an unknown one (O4.15). */
    List<StoredMessage> load(SessionId session);

    /** Returns all messages of a session, hidden ones included, in order. */
    List<StoredMessage> loadAll(SessionId session);

    /** Returns the active messages of several sessions in one order (storage 4.4). */
    List<StoredMessage> load(Collection<SessionId> sessions);

    /** Returns the last {@code limit} active messages of a session, in order. */
    List<StoredMessage> tail(SessionId session, int limit);

    /** Returns the last {@code limit} active user messages of a session, newest first. */
    List<StoredMessage> recentUserMessages(SessionId session, int limit);

    /**
     * Returns up to {@code before} active messages before a message of a session, the message itself and up to {@code after}
     * behind it, in order; empty where the session has no such message.
     */
    List<StoredMessage> around(SessionId session, long sequence, int before, int after);

    /**
     * Returns whether what is read of a session is all that was said in it. It is not while the store is degraded and the session's
     * conversation was not at hand: {@link #load} then begins with a note that says so (commit rule 9).
     */
    default boolean isWhole(SessionId session) {
        return true;
    }

    /** Returns how many active messages a session has. */
    long count(SessionId session);

    /** Returns how many messages there are in all, hidden ones included. */
    long countAll();

    /** Hands every message of every session, hidden ones included, to {@code each}, in order, without holding them all. */
    void forEach(Consumer<StoredMessage> each);
}
