package dev.parley.application.degrade;

import dev.parley.domain.session.Lane;
import dev.parley.domain.session.Session;
import dev.parley.domain.session.SessionEntry;
import dev.parley.domain.session.SessionId;
import dev.parley.domain.session.SessionPeer;
import dev.parley.domain.source.Platform;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * The conversations of the primary as far as they are known.
 *
 * @param knowledge what is known of the primary
 */
record KnownConversations(Knowledge knowledge) {
    private static final String UNKNOWN_SOURCE = "unknown";

    /** Returns what is known of a lane's current conversation. */
    KnownConversation ofLane(Lane lane) {
        return of(lane.entry().sessionId(), () -> sessionOf(lane.entry()));
    }

    /** Returns what is known of the conversation of a session that is no lane's current one. */
    KnownConversation ofSession(SessionId id, Instant now) {
        return of(id, () -> Session.builder(id, UNKNOWN_SOURCE, now).build());
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

    private static Session sessionOf(SessionEntry entry) {
        return Session.builder(
                        entry.sessionId(),
                        entry.platform().map(Platform::name).orElse(UNKNOWN_SOURCE),
                        entry.createdAt())
                .peer(new SessionPeer(entry.key(), entry.origin()))
                .build();
    }
}
