package dev.parley.bootstrap.cli;

import dev.parley.application.spi.Storage;
import dev.parley.domain.session.Lineage;
import dev.parley.domain.session.Session;
import dev.parley.domain.session.SessionId;
import dev.parley.domain.transcript.StoredMessage;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** What a store knows of sessions and their children. */
final class StoredFamily implements Lineage.Family {
    private final Storage storage;

    private StoredFamily(Storage storage) {
        this.storage = storage;
    }

    static Lineage.Family of(Storage storage) {
        return new StoredFamily(storage);
    }

    @Override
    public Optional<Session> find(SessionId id) {
        return storage.sessions().find(id);
    }

    @Override
    public List<Session> childrenOf(SessionId id) {
        return storage.sessions().childrenOf(id);
    }

    @Override
    public Instant lastActive(Session session) {
        return storage.transcripts().tail(session.id(), 1).stream()
                .findFirst()
                .map((StoredMessage m) -> m.message().at())
                .orElse(session.startedAt());
    }

    @Override
    public boolean hasMessages(Session session) {
        return storage.transcripts().count(session.id()) > 0;
    }
}
