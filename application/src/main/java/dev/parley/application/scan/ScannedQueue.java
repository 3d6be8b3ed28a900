package dev.parley.application.scan;

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
import java.util.function.Predicate;

/** Reads the queue; lists look at everything that is kept, which costs time in proportion to it. Safe where the snapshot is. */
public final class ScannedQueue implements TurnQueue {
    private static final Comparator<Inbound> BY_PLACE =
            Comparator.comparing(Inbound::lane).thenComparing(Inbound::ordinal);
    private static final Comparator<Turn> BY_START = Comparator.comparing(Turn::lane)
            .thenComparing(Turn::startedAt)
            .thenComparing(turn -> turn.id().value());

    private final SnapshotOf<? extends StoredQueue> snapshot;

    /** What is kept since some time. */
    private record Kept(List<Inbound> inbound, List<Turn> turns, List<Outgoing> outgoing) {}

    /** Reads what the snapshot shows. */
    public ScannedQueue(SnapshotOf<? extends StoredQueue> snapshot) {
        this.snapshot = snapshot;
    }

    @Override
    public List<Inbound> admitted() {
        return waiting(inbound -> true);
    }

    @Override
    public List<Inbound> admitted(SessionKey lane) {
        return waiting(inbound -> inbound.lane().equals(lane));
    }

    private List<Inbound> waiting(Predicate<Inbound> chosen) {
        return snapshot.read(r -> r.inbound().stream()
                .filter(inbound -> inbound.state() == Inbound.State.ADMITTED)
                .filter(chosen)
                .sorted(BY_PLACE)
                .toList());
    }

    @Override
    public long lastOrdinal(SessionKey lane) {
        return snapshot.read(r -> r.lastOrdinal(lane));
    }

    @Override
    public Optional<Inbound> inbound(InboundId id) {
        return snapshot.read(r -> r.inbound(id));
    }

    @Override
    public Optional<Inbound> received(PlatformMessage message) {
        return snapshot.read(r -> r.received(message));
    }

    @Override
    public List<Turn> claimed() {
        return snapshot.read(r -> r.turns().stream()
                .filter(turn -> turn.state() == Turn.State.CLAIMED)
                .sorted(BY_START)
                .toList());
    }

    @Override
    public Optional<Turn> turn(TurnId id) {
        return snapshot.read(r -> r.turn(id));
    }

    @Override
    public List<Outgoing> undelivered() {
        return snapshot.read(r -> r.outgoing().stream()
                .filter(outgoing -> outgoing.state().isOpen())
                .toList());
    }

    @Override
    public void forEach(Instant since, Consumer<Inbound> inbound, Consumer<Turn> turns, Consumer<Outgoing> outgoing) {
        Kept kept = snapshot.read(r -> new Kept(
                r.inbound().stream()
                        .filter(each -> !each.receivedAt().isBefore(since))
                        .toList(),
                r.turns().stream()
                        .filter(each -> !each.startedAt().isBefore(since))
                        .toList(),
                r.outgoing().stream()
                        .filter(each -> !each.createdAt().isBefore(since))
                        .toList()));
        kept.inbound().forEach(inbound);
        kept.turns().forEach(turns);
        kept.outgoing().forEach(outgoing);
    }
}
