package dev.parley.application.scan;

import dev.parley.domain.key.SessionKey;
import dev.parley.domain.session.Session;
import dev.parley.domain.session.SessionId;
import dev.parley.domain.session.SessionPeer;
import dev.parley.domain.transcript.StoredMessage;
import dev.parley.domain.usage.UsageSlot;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/** The sessions and messages of a store at one moment. What has a body here is found by scanning; a store with an index replaces it. */
public interface StoredRows {
    /** Returns all sessions, in any order. */
    Collection<Session> sessions();

    /** Returns the session, or nothing. */
    Optional<Session> session(SessionId id);

    /** Returns all messages of a session, hidden ones included, in order; empty for an unknown one. */
    List<StoredMessage> messages(SessionId session);

    /** Returns the active messages of a session, in order; empty for an unknown one. */
    default List<StoredMessage> conversation(SessionId session) {
        return messages(session).stream().filter(StoredMessage::isActive).toList();
    }

    /** Returns what a list shows of a session's messages; the empty digest for an unknown one. */
    default Digest digest(SessionId session) {
        return Digest.of(messages(session));
    }

    /** Returns the session with exactly this title, or nothing. */
    default Optional<Session> titled(String title) {
        return sessions().stream()
                .filter(s -> s.title().filter(title::equals).isPresent())
                .findFirst();
    }

    /** Returns the sessions whose parent this is, in any order. */
    default Collection<Session> childrenOf(SessionId id) {
        return sessions().stream()
                .filter(s -> s.parent().filter(id::equals).isPresent())
                .toList();
    }

    /** Returns the sessions that were begun on a lane, in any order. */
    default Collection<Session> ofLane(SessionKey key) {
        return sessions().stream()
                .filter(s -> s.peer().map(SessionPeer::key).filter(key::equals).isPresent())
                .toList();
    }
    /** Returns all slots of usage, in any order. */
    Collection<UsageSlot> usage();
}
