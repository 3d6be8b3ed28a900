package dev.parley.application.scan;

import dev.parley.domain.session.Session;
import dev.parley.domain.session.SessionId;
import dev.parley.domain.transcript.StoredMessage;
import java.util.List;
import java.util.Optional;

/** The sessions and messages of a store at one moment. */
public interface Rows {
    /** Returns all sessions, in any order. */
    List<Session> sessions();

    /** Returns the session, or nothing. */
    Optional<Session> session(SessionId id);

    /** Returns all messages of a session, hidden ones included, in order; empty for an unknown one. */
    List<StoredMessage> messages(SessionId session);
}
