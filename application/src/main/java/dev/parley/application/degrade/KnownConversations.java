package dev.parley.application.degrade;

import dev.parley.application.store.SessionRows;
import dev.parley.domain.session.Lane;
import dev.parley.domain.session.Session;
import dev.parley.domain.session.SessionId;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * The conversations of the primary as far as they are known.
 *
 * @param knowledge what is known of the primary
 */
record KnownConversations(Knowledge knowledge) {
    /** Returns what is known of a lane's current conversation. */
    KnownConversation ofLane(Lane lane) {
        return of(lane.entry().sessionId(), () -> SessionRows.of(lane.entry()));
    }

    /** Returns what is known of the conversation of a session that is no lane's current one. */
    KnownConversation ofSession(SessionId id, Instant now) {
        return of(id, () -> Session.builder(id, SessionRows.UNKNOWN_SOURCE, now).build());
    }

    /** Of a session that was never read {@code unread} is known. */
    private KnownConversation of(SessionId id, Supplier<Session> unread) {
        Optional<Knowledge.Tail> tail = knowledge.tail(id);
        Session session = tail.flatMap(Knowledge.Tail::session).orElseGet(unread);
        return tail.map(known -> known.whole()
                        ? new KnownConversation(session, known.messages(), true)
                        : KnownConversation.partly(session, known.messages()))
                .orElseGet(() -> KnownConversation.unread(session));
    }
}
