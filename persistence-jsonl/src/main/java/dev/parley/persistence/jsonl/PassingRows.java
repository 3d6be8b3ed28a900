package dev.parley.persistence.jsonl;

import dev.parley.application.scan.Snapshot;
import dev.parley.application.scan.StoredRows;
import dev.parley.domain.session.Session;
import dev.parley.domain.session.SessionId;
import dev.parley.domain.transcript.StoredMessage;
import dev.parley.domain.usage.UsageSlot;
import dev.parley.persistence.jsonl.state.Store;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** Rows for passes over many sessions: each session is read by itself, so that no batch waits for all of them. */
final class PassingRows implements Snapshot, StoredRows {
    private final Store store;

    PassingRows(Store store) {
        this.store = store;
    }

    @Override
    public <T> T read(Function<? super StoredRows, T> look) {
        return look.apply(this);
    }

    @Override
    public List<Session> sessions() {
        return store.read(() -> List.copyOf(store.sessions()));
    }

    @Override
    public Optional<Session> session(SessionId id) {
        return store.read(() -> store.session(id));
    }

    @Override
    public List<StoredMessage> messages(SessionId session) {
        return store.read(() -> store.passingMessages(session));
    }

    @Override
    public List<UsageSlot> usage() {
        return store.read(() -> List.copyOf(store.tables().usage().values()));
    }
}
