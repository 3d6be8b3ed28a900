package dev.parley.persistence.jsonl;

import dev.parley.application.scan.Digest;
import dev.parley.application.scan.Snapshot;
import dev.parley.application.scan.StoredRows;
import dev.parley.domain.key.SessionKey;
import dev.parley.domain.session.Session;
import dev.parley.domain.session.SessionId;
import dev.parley.domain.transcript.StoredMessage;
import dev.parley.domain.usage.UsageSlot;
import dev.parley.persistence.jsonl.state.Store;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** The rows of a store at one moment: sessions from memory, messages from their files, which are cached. */
final class StoreRows implements Snapshot, StoredRows {
    private final Store store;

    StoreRows(Store store) {
        this.store = store;
    }

    @Override
    public <T> T read(Function<? super StoredRows, T> look) {
        return store.read(() -> look.apply(this));
    }

    @Override
    public Collection<Session> sessions() {
        return store.sessions();
    }

    @Override
    public Optional<Session> session(SessionId id) {
        return store.session(id);
    }

    @Override
    public List<StoredMessage> messages(SessionId session) {
        return store.messages(session);
    }

    @Override
    public List<StoredMessage> conversation(SessionId session) {
        return List.copyOf(store.conversation(session));
    }

    @Override
    public Digest digest(SessionId session) {
        return store.digest(session);
    }

    @Override
    public Optional<Session> titled(String title) {
        return store.titled(title).flatMap(store::session);
    }

    @Override
    public Collection<Session> childrenOf(SessionId id) {
        return store.childrenOf(id);
    }

    @Override
    public Collection<Session> ofLane(SessionKey key) {
        return store.ofLane(key);
    }

    @Override
    public Collection<UsageSlot> usage() {
        return store.tables().usage().values();
    }
}
