package dev.parley.application.store;

import dev.parley.application.port.Sessions;
import dev.parley.application.port.Transcripts;
import dev.parley.domain.session.Lineage;
import dev.parley.domain.session.Session;
import dev.parley.domain.session.SessionId;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * The sessions of a store as lineage rules ask for them.
 *
 * @param sessions the sessions
 * @param transcripts their messages
 */
public record StoredFamily(Sessions sessions, Transcripts transcripts) implements Lineage.Family {
    @Override
    public Optional<Session> find(SessionId id) {
        return sessions.find(id);
    }

    @Override
    public List<Session> childrenOf(SessionId id) {
        return sessions.childrenOf(id);
    }

    @Override
    public Instant lastActive(Session session) {
        return transcripts.tail(session.id(), 1).stream()
                .findFirst()
                .map(m -> m.message().at())
                .orElse(session.startedAt());
    }

    @Override
    public boolean hasMessages(Session session) {
        return transcripts.count(session.id()) > 0;
    }
}
