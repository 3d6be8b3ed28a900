package dev.parley.testing.memory;

import dev.parley.application.port.TurnQueue;
import dev.parley.domain.key.SessionKey;
import dev.parley.domain.turn.Inbound;
import dev.parley.domain.turn.InboundId;
import dev.parley.domain.turn.Outgoing;
import dev.parley.domain.turn.PlatformMessage;
import dev.parley.domain.turn.Turn;
import dev.parley.domain.turn.TurnId;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

final class MemoryTurnQueue implements TurnQueue {
    private final MemoryStorage storage;

    MemoryTurnQueue(MemoryStorage storage) {
        this.storage = storage;
    }

    @Override
    public List<Inbound> admitted() {
        return storage.read(d -> d.inbound.rows()).stream()
                .filter(i -> i.state() == Inbound.State.ADMITTED)
                .sorted(Comparator.comparing(Inbound::lane).thenComparing(Inbound::ordinal))
                .toList();
    }

    @Override
    public List<Inbound> admitted(SessionKey lane) {
        return admitted().stream().filter(i -> i.lane().equals(lane)).toList();
    }

    @Override
    public long lastOrdinal(SessionKey lane) {
        return storage.read(d -> d.lastOrdinals.get(lane).orElse(0L));
    }

    @Override
    public Optional<Inbound> inbound(InboundId id) {
        return storage.read(d -> d.inbound.get(id));
    }

    @Override
    public Optional<Inbound> received(PlatformMessage message) {
        return storage.read(d -> d.received(message));
    }

    @Override
    public List<Turn> claimed() {
        return storage.read(d -> d.turns.rows()).stream()
                .filter(t -> t.state() == Turn.State.CLAIMED)
                .sorted(Comparator.comparing(Turn::lane)
                        .thenComparing(Turn::startedAt)
                        .thenComparing(t -> t.id().value()))
                .toList();
    }

    @Override
    public Optional<Turn> turn(TurnId id) {
        return storage.read(d -> d.turns.get(id));
    }

    @Override
    public List<Outgoing> undelivered() {
        return storage.read(d -> d.outgoing.rows()).stream()
                .filter(o -> o.state() == Outgoing.State.PENDING || o.state() == Outgoing.State.ATTEMPTED)
                .toList();
    }

    @Override
    public void forEach(Instant since, Consumer<Inbound> inbound, Consumer<Turn> turns, Consumer<Outgoing> outgoing) {
        storage.read(d -> d.inbound.rows()).stream()
                .filter(i -> !i.receivedAt().isBefore(since))
                .forEach(inbound);
        storage.read(d -> d.turns.rows()).stream()
                .filter(t -> !t.startedAt().isBefore(since))
                .forEach(turns);
        storage.read(d -> d.outgoing.rows()).stream()
                .filter(o -> !o.createdAt().isBefore(since))
                .forEach(outgoing);
    }
}
