package dev.parley.persistence.jsonl.state;

import dev.parley.domain.change.Change;
import dev.parley.domain.change.LaneEvent;
import dev.parley.domain.key.SessionKey;
import dev.parley.domain.session.Lane;
import dev.parley.domain.session.SessionId;
import dev.parley.domain.source.CursorName;
import dev.parley.domain.turn.Hold;
import dev.parley.domain.turn.Inbound;
import dev.parley.domain.turn.InboundId;
import dev.parley.domain.turn.Outgoing;
import dev.parley.domain.turn.OutgoingId;
import dev.parley.domain.turn.PlatformMessage;
import dev.parley.domain.turn.Turn;
import dev.parley.domain.turn.TurnId;
import dev.parley.domain.usage.UsageSlot;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Everything a store holds beside sessions and messages: lanes, histories, the queue, named values, writers. */
public final class Tables {
    private final TreeMap<SessionKey, Lane> lanes = new TreeMap<>();
    private final Map<SessionId, SortedSet<SessionKey>> lanesBySession = new HashMap<>();
    private final Map<SessionKey, List<LaneEvent>> histories = new HashMap<>();
    private List<LaneEvent> events = new ArrayList<>();
    private final Map<InboundId, Inbound> inbound = new LinkedHashMap<>();
    private final Map<PlatformMessage, InboundId> received = new HashMap<>();
    private final Map<SessionKey, Set<InboundId>> admitted = new TreeMap<>();
    private final Map<SessionKey, Long> ordinals = new TreeMap<>();
    private final Map<TurnId, Turn> turns = new LinkedHashMap<>();
    private final Map<TurnId, Turn> claimed = new LinkedHashMap<>();
    private final Map<OutgoingId, Outgoing> outgoing = new LinkedHashMap<>();
    private final TreeMap<Long, OutgoingId> undelivered = new TreeMap<>();
    private final Map<OutgoingId, Long> arrivals = new HashMap<>();
    private long arrived;
    private final TreeMap<String, String> meta = new TreeMap<>();
    private final Map<String, Long> writers = new TreeMap<>();
    private final Map<CursorName, String> cursors = new TreeMap<>();
    private final Map<SessionKey, Hold> holds = new TreeMap<>();
    private final NavigableMap<UsageSlot.Key, UsageSlot> usage = new TreeMap<>();

    // --- lanes

    /** Returns the lanes by key; follows later changes. */
    public Collection<Lane> lanes() {
        return lanes.values();
    }

    /** Returns the lane, or nothing. */
    public Optional<Lane> lane(SessionKey key) {
        return Optional.ofNullable(lanes.get(key));
    }

    /** Returns the first lane whose current session this is, or nothing. */
    public Optional<Lane> laneOf(SessionId session) {
        SortedSet<SessionKey> keys = lanesBySession.get(session);
        return keys == null ? Optional.empty() : lane(keys.first());
    }

    /** Returns the history of a lane, oldest first; follows later changes. */
    public List<LaneEvent> history(SessionKey key) {
        return histories.getOrDefault(key, List.of());
    }

    /** Returns all histories in the order they were stored; follows later changes. */
    public List<LaneEvent> events() {
        return events;
    }

    void put(Lane lane) {
        remove(lane.key());
        lanes.put(lane.key(), lane);
        lanesBySession
                .computeIfAbsent(lane.entry().sessionId(), session -> new TreeSet<>())
                .add(lane.key());
    }

    void remove(SessionKey key) {
        Lane before = lanes.remove(key);
        if (before == null) {
            return;
        }
        SessionId session = before.entry().sessionId();
        SortedSet<SessionKey> keys = lanesBySession.get(session);
        if (keys != null) {
            keys.remove(key);
            if (keys.isEmpty()) {
                lanesBySession.remove(session);
            }
        }
    }

    void touch(Change.TouchLane touch) {
        lane(touch.lane()).ifPresent(lane -> {
            Lane touched = new Lane(touch.applyTo(lane.entry()), lane.epoch());
            lanes.put(lane.key(), touched);
        });
    }

    void append(LaneEvent event) {
        histories.computeIfAbsent(event.lane(), key -> new ArrayList<>(2)).add(event);
        events.add(event);
    }

    // --- the queue

    /** Returns everything received that is kept, in the order it was first stored; follows later changes. */
    public Collection<Inbound> inbound() {
        return inbound.values();
    }

    /** Returns the received message, or nothing. */
    public Optional<Inbound> inbound(InboundId id) {
        return Optional.ofNullable(inbound.get(id));
    }

    /** Returns the received message that its platform names so, or nothing. */
    public Optional<Inbound> received(PlatformMessage message) {
        return Optional.ofNullable(received.get(message)).flatMap(this::inbound);
    }

    /** Returns the admitted messages of all lanes, by lane and ordinal. */
    public List<Inbound> admitted() {
        List<Inbound> all = new ArrayList<>();
        admitted.keySet().forEach(lane -> all.addAll(admitted(lane)));
        return all;
    }

    /** Returns the admitted messages of a lane, by ordinal. */
    public List<Inbound> admitted(SessionKey lane) {
        return admitted.getOrDefault(lane, Set.of()).stream()
                .flatMap(id -> inbound(id).stream())
                .sorted(Comparator.comparingLong(Inbound::ordinal))
                .toList();
    }

    /** Returns the greatest ordinal ever given in a lane, or 0. */
    public long lastOrdinal(SessionKey lane) {
        return ordinals.getOrDefault(lane, 0L);
    }

    /** Returns the greatest ordinal of each lane that ever had one. */
    public Map<SessionKey, Long> ordinals() {
        return ordinals;
    }

    void putOrdinal(SessionKey lane, long ordinal) {
        ordinals.merge(lane, ordinal, Math::max);
    }

    void put(Inbound next) {
        @Nullable Inbound before = inbound.put(next.id(), next);
        if (before != null) {
            unqueue(before);
        }
        next.platformMessage().ifPresent(message -> received.putIfAbsent(message, next.id()));
        if (next.state() == Inbound.State.ADMITTED) {
            admitted.computeIfAbsent(next.lane(), lane -> new LinkedHashSet<>()).add(next.id());
        }
        putOrdinal(next.lane(), next.ordinal());
    }

    private void unqueue(Inbound before) {
        Set<InboundId> waiting = admitted.get(before.lane());
        if (waiting != null && waiting.remove(before.id()) && waiting.isEmpty()) {
            admitted.remove(before.lane());
        }
    }

    /** Returns all turns that are kept, in the order they were first stored; follows later changes. */
    public Collection<Turn> turns() {
        return turns.values();
    }

    /** Returns the turn, or nothing. */
    public Optional<Turn> turn(TurnId id) {
        return Optional.ofNullable(turns.get(id));
    }

    /** Returns the turns that have not ended, by lane, start and id. */
    public List<Turn> claimed() {
        return claimed.values().stream()
                .sorted(Comparator.comparing(Turn::lane)
                        .thenComparing(Turn::startedAt)
                        .thenComparing(turn -> turn.id().value()))
                .toList();
    }

    void put(Turn turn) {
        turns.put(turn.id(), turn);
        if (turn.state() == Turn.State.CLAIMED) {
            claimed.put(turn.id(), turn);
        } else {
            claimed.remove(turn.id());
        }
    }

    /** Returns all outgoing messages that are kept, in the order they were first stored; follows later changes. */
    public Collection<Outgoing> outgoing() {
        return outgoing.values();
    }

    /** Returns the outgoing messages that are neither delivered nor given up, in the order they were first stored. */
    public List<Outgoing> undelivered() {
        List<Outgoing> all = new ArrayList<>();
        for (OutgoingId id : undelivered.values()) {
            Outgoing each = outgoing.get(id);
            if (each != null) {
                all.add(each);
            }
        }
        return all;
    }

    void put(Outgoing next) {
        outgoing.put(next.id(), next);
        long arrival = arrivals.computeIfAbsent(next.id(), id -> ++arrived);
        if (next.state().isOpen()) {
            undelivered.put(arrival, next.id());
        } else {
            undelivered.remove(arrival);
        }
    }

    // --- named values, writers, retention

    /** Returns the named values; follows later changes. */
    public Map<String, String> meta() {
        return meta;
    }

    void put(String key, String value) {
        meta.put(key, value);
    }

    /** Returns the last sequence of each writer. */
    public Map<String, Long> writers() {
        return writers;
    }

    void putWriter(String writer, long sequence) {
        writers.merge(writer, sequence, Math::max);
    }

    void forget(Change.Forget change) {
        turns.values().removeIf(change::covers);
        claimed.keySet().retainAll(turns.keySet());
        inbound.values().removeIf(change::covers);
        received.values().removeIf(id -> !inbound.containsKey(id));
        outgoing.values().removeIf(each -> {
            boolean gone = change.covers(each);
            if (gone) {
                arrivals.remove(each.id());
            }
            return gone;
        });
        if (change.historyBefore().isPresent()) {
            events = new ArrayList<>(
                    events.stream().filter(event -> !change.covers(event)).toList());
            histories.clear();
            events.forEach(event -> histories
                    .computeIfAbsent(event.lane(), key -> new ArrayList<>(2))
                    .add(event));
        }
    }

    // --- cursors, holds, usage

    /** Returns where the platforms' cursors stand; follows later changes. */
    public Map<CursorName, String> cursors() {
        return cursors;
    }

    void put(Change.PutCursor change) {
        change.value().ifPresentOrElse(value -> cursors.put(change.name(), value), () -> cursors.remove(change.name()));
    }

    /** Returns who holds which lane; follows later changes. */
    public Map<SessionKey, Hold> holds() {
        return holds;
    }

    /** Returns who holds a lane. */
    public Hold hold(SessionKey lane) {
        return holds.getOrDefault(lane, Hold.NONE);
    }

    void put(SessionKey lane, Hold hold) {
        holds.put(lane, hold);
    }

    /** Returns what was used, by quarter of an hour, source and model; follows later changes. */
    public NavigableMap<UsageSlot.Key, UsageSlot> usage() {
        return usage;
    }

    void put(UsageSlot slot) {
        usage.put(slot.key(), slot);
    }

    void add(UsageSlot more) {
        usage.merge(more.key(), more, UsageSlot::plus);
    }
}
