package dev.parley.persistence.jsonl;

import dev.parley.application.port.TurnQueue;
import dev.parley.domain.key.SessionKey;
import dev.parley.domain.turn.Inbound;
import dev.parley.domain.turn.InboundId;
import dev.parley.domain.turn.Outgoing;
import dev.parley.domain.turn.PlatformMessage;
import dev.parley.domain.turn.Turn;
import dev.parley.domain.turn.TurnId;
import dev.parley.persistence.jsonl.state.Store;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/** The queue of a store. */
final class JsonlTurnQueue implements TurnQueue {
    private final Store store;

    JsonlTurnQueue(Store store) {
        this.store = store;
    }

    @Override
    public List<Inbound> admitted() {
        return store.read(() -> store.tables().admitted());
    }

    @Override
    public List<Inbound> admitted(SessionKey lane) {
        return store.read(() -> store.tables().admitted(lane));
    }

    @Override
    public long lastOrdinal(SessionKey lane) {
        return store.read(() -> store.tables().lastOrdinal(lane));
    }

    @Override
    public Optional<Inbound> inbound(InboundId id) {
        return store.read(() -> store.tables().inbound(id));
    }

    @Override
    public Optional<Inbound> received(PlatformMessage message) {
        return store.read(() -> store.tables().received(message));
    }

    @Override
    public List<Turn> claimed() {
        return store.read(() -> store.tables().claimed());
    }

    @Override
    public Optional<Turn> turn(TurnId id) {
        return store.read(() -> store.tables().turn(id));
    }

    @Override
    public List<Outgoing> undelivered() {
        return store.read(() -> store.tables().undelivered());
    }

    @Override
    public void forEach(Instant since, Consumer<Inbound> inbound, Consumer<Turn> turns, Consumer<Outgoing> outgoing) {
        store.read(() -> List.copyOf(store.tables().inbound())).stream()
                .filter(each -> !each.receivedAt().isBefore(since))
                .forEach(inbound);
        store.read(() -> List.copyOf(store.tables().turns())).stream()
                .filter(each -> !each.startedAt().isBefore(since))
                .forEach(turns);
        store.read(() -> List.copyOf(store.tables().outgoing())).stream()
                .filter(each -> !each.createdAt().isBefore(since))
                .forEach(outgoing);
    }
}
