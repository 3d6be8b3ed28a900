package dev.parley.application.degrade;

import dev.parley.application.port.TurnQueue;
import dev.parley.domain.key.SessionKey;
import dev.parley.domain.turn.Inbound;
import dev.parley.domain.turn.InboundId;
import dev.parley.domain.turn.Outgoing;
import dev.parley.domain.turn.PlatformMessage;
import dev.parley.domain.turn.Turn;
import dev.parley.domain.turn.TurnId;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/** The queue: what is under way is known while degraded too. */
final class QueueReads implements TurnQueue {
    private final Reading reading;
    private final PrimaryMirror mirror;

    QueueReads(Reading reading, PrimaryMirror mirror) {
        this.reading = reading;
        this.mirror = mirror;
    }

    @Override
    public List<Inbound> admitted() {
        return reading.any(s -> s.queue().admitted());
    }

    @Override
    public List<Inbound> admitted(SessionKey key) {
        return reading.any(s -> s.queue().admitted(key));
    }

    @Override
    public long lastOrdinal(SessionKey key) {
        long last = reading.any(s -> s.queue().lastOrdinal(key));
        mirror.ordinal(key, last);
        return Math.max(last, mirror.lastOrdinal(key));
    }

    @Override
    public Optional<Inbound> inbound(InboundId id) {
        return reading.any(s -> s.queue().inbound(id));
    }

    @Override
    public Optional<Inbound> received(PlatformMessage message) {
        return reading.any(s -> s.queue().received(message))
                .or(() -> reading.isDegraded() ? mirror.received(message) : Optional.empty());
    }

    @Override
    public List<Turn> claimed() {
        return reading.any(s -> s.queue().claimed());
    }

    @Override
    public Optional<Turn> turn(TurnId id) {
        return reading.any(s -> s.queue().turn(id));
    }

    @Override
    public List<Outgoing> undelivered() {
        return reading.any(s -> s.queue().undelivered());
    }

    @Override
    public void forEach(Instant since, Consumer<Inbound> inbound, Consumer<Turn> turns, Consumer<Outgoing> outgoing) {
        reading.whole("All that was received and sent", s -> {
            s.queue().forEach(since, inbound, turns, outgoing);
            return true;
        });
    }
}
