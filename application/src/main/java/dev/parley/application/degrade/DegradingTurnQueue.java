package dev.parley.application.degrade;

import dev.parley.application.port.OutgoingQuery;
import dev.parley.application.port.Page;
import dev.parley.application.port.TurnQuery;
import dev.parley.application.port.TurnQueue;
import dev.parley.domain.key.SessionKey;
import dev.parley.domain.source.Platform;
import dev.parley.domain.turn.Inbound;
import dev.parley.domain.turn.InboundId;
import dev.parley.domain.turn.Outgoing;
import dev.parley.domain.turn.OutgoingId;
import dev.parley.domain.turn.PlatformMessage;
import dev.parley.domain.turn.Turn;
import dev.parley.domain.turn.TurnId;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/** The queue: what is under way is known while degraded too. */
final class DegradingTurnQueue implements TurnQueue {
    private final Reading reading;
    private final Knowledge knowledge;

    DegradingTurnQueue(Reading reading, Knowledge knowledge) {
        this.reading = reading;
        this.knowledge = knowledge;
    }

    @Override
    public List<Inbound> admitted() {
        return reading.either(s -> s.queue().admitted(), spill -> knowledge.admitted());
    }

    @Override
    public List<Inbound> admitted(SessionKey key) {
        return reading.either(
                s -> s.queue().admitted(key),
                spill -> knowledge.admitted().stream()
                        .filter(i -> i.lane().equals(key))
                        .toList());
    }

    @Override
    public long lastOrdinal(SessionKey key) {
        long last = reading.either(
                s -> s.queue().lastOrdinal(key),
                spill -> spill.stored().map(s -> s.queue().lastOrdinal(key)).orElse(0L));
        knowledge.ordinal(key, last);
        return Math.max(last, knowledge.lastOrdinal(key));
    }

    @Override
    public Optional<Inbound> inbound(InboundId id) {
        return reading.either(
                s -> s.queue().inbound(id),
                spill -> spill.stored().flatMap(s -> s.queue().inbound(id)).or(() -> knowledge.waiting(id)));
    }

    @Override
    public Optional<Inbound> received(PlatformMessage message) {
        return reading.either(
                s -> s.queue().received(message),
                spill ->
                        spill.stored().flatMap(s -> s.queue().received(message)).or(() -> knowledge.received(message)));
    }

    @Override
    public List<Turn> claimed() {
        return reading.either(s -> s.queue().claimed(), spill -> knowledge.claimed());
    }

    @Override
    public Optional<Turn> turn(TurnId id) {
        return reading.either(
                s -> s.queue().turn(id),
                spill -> spill.stored().flatMap(s -> s.queue().turn(id)).or(() -> knowledge.claimed(id)));
    }

    @Override
    public List<Outgoing> undelivered() {
        return reading.either(s -> s.queue().undelivered(), spill -> knowledge.undelivered());
    }

    @Override
    public void forEach(Instant since, Consumer<Inbound> inbound, Consumer<Turn> turns, Consumer<Outgoing> outgoing) {
        reading.unlocked("All that was received and sent").queue().forEach(since, inbound, turns, outgoing);
    }

    @Override
    public List<Outgoing> undelivered(SessionKey key) {
        return reading.either(
                s -> s.queue().undelivered(key),
                spill -> knowledge.undelivered().stream()
                        .filter(o -> o.lane().filter(key::equals).isPresent())
                        .toList());
    }

    @Override
    public List<Outgoing> sentTo(Platform platform, String chatId, Optional<OutgoingId> after, int limit) {
        return reading.whole("What was sent to a chat", s -> s.queue().sentTo(platform, chatId, after, limit));
    }

    @Override
    public Page<Turn> turns(TurnQuery query) {
        return reading.whole("The list of turns", s -> s.queue().turns(query));
    }

    @Override
    public Page<Outgoing> outgoing(OutgoingQuery query) {
        return reading.whole("The list of deliveries", s -> s.queue().outgoing(query));
    }
}
