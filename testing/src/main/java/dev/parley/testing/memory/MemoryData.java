package dev.parley.testing.memory;

import dev.parley.application.port.InvalidRequest;
import dev.parley.application.port.Journal;
import dev.parley.application.port.Ledger;
import dev.parley.application.scan.StoredLanes;
import dev.parley.application.scan.StoredQueue;
import dev.parley.application.scan.StoredRows;
import dev.parley.domain.change.Batch;
import dev.parley.domain.change.Change;
import dev.parley.domain.change.CommitResult;
import dev.parley.domain.change.LaneEvent;
import dev.parley.domain.change.MessageCounts;
import dev.parley.domain.change.Precondition;
import dev.parley.domain.change.Refusals;
import dev.parley.domain.key.SessionKey;
import dev.parley.domain.session.Lane;
import dev.parley.domain.session.Session;
import dev.parley.domain.session.SessionId;
import dev.parley.domain.source.CursorName;
import dev.parley.domain.transcript.Message;
import dev.parley.domain.transcript.MessageId;
import dev.parley.domain.transcript.StoredMessage;
import dev.parley.domain.turn.Hold;
import dev.parley.domain.turn.Inbound;
import dev.parley.domain.turn.InboundId;
import dev.parley.domain.turn.Outgoing;
import dev.parley.domain.turn.OutgoingId;
import dev.parley.domain.turn.PlatformMessage;
import dev.parley.domain.turn.RunId;
import dev.parley.domain.turn.Turn;
import dev.parley.domain.turn.TurnId;
import dev.parley.domain.usage.UsageSlot;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.UnaryOperator;

/**
 * Everything a store holds, and the one way it changes. Outlives the openings of the store. Whoever uses it holds its monitor.
 */
final class MemoryData implements StoredRows, StoredLanes, StoredQueue {
    private final UndoLog undo = new UndoLog();
    private final Changes changes = new Changes();
    private final Known known = new Known();
    private long lastSequence;
    private long lastEvent;

    final Table<SessionId, Session> sessions = new Table<>(undo);
    final Table<SessionKey, Lane> lanes = new Table<>(undo);
    final Table<Long, LaneEvent> history = new Table<>(undo);
    final Table<InboundId, Inbound> inbound = new Table<>(undo);
    final Table<TurnId, Turn> turns = new Table<>(undo);
    final Table<OutgoingId, Outgoing> outgoing = new Table<>(undo);
    final Table<String, String> meta = new Table<>(undo);
    final Table<SessionKey, Long> lastOrdinals = new Table<>(undo);
    final Table<SessionKey, Hold> holds = new Table<>(undo);
    final Table<CursorName, String> cursors = new Table<>(undo);
    final Table<UsageSlot.Key, UsageSlot> usage = new Table<>(undo);
    final List<Journal.Entry> journal = new ArrayList<>();
    final List<Journal.Entry> journalPutAside = new ArrayList<>();
    private final Table<PlatformMessage, InboundId> received = new Table<>(undo);
    private final Table<String, Long> writers = new Table<>(undo);
    private final Map<SessionId, Table<MessageId, StoredMessage>> messages = new HashMap<>();
    private final Map<SessionId, NavigableSet<SessionKey>> lanesBySession = new HashMap<>();
    private final Map<SessionKey, Table<Long, LaneEvent>> historyByLane = new HashMap<>();

    CommitResult commit(Batch batch) {
        long applied = writers.get(batch.id().writer()).orElse(0L);
        if (batch.id().sequence() <= applied) {
            return new CommitResult.Committed();
        }
        for (Precondition precondition : batch.preconditions()) {
            if (!precondition.holds(known)) {
                return new CommitResult.Conflict(precondition);
            }
        }
        boolean done = false;
        try {
            batch.changes().forEach(change -> change.accept(changes));
            writers.put(batch.id().writer(), batch.id().sequence());
            done = true;
        } catch (RuntimeException | Error e) {
            throw Ledger.refusal(batch.id(), e);
        } finally {
            if (done) {
                undo.forget();
            } else {
                undo.rollBack();
            }
        }
        return new CommitResult.Committed();
    }

    /** Changes a hold outside of any batch. */
    void put(SessionKey lane, Hold hold) {
        holds.put(lane, hold);
        undo.forget();
    }

    @Override
    public List<Session> sessions() {
        return sessions.rows();
    }

    @Override
    public Optional<Session> session(SessionId id) {
        return sessions.get(id);
    }

    @Override
    public List<StoredMessage> messages(SessionId session) {
        return messageTable(session).map(Table::rows).orElse(List.of());
    }

    @Override
    public List<UsageSlot> usage() {
        return usage.rows();
    }

    @Override
    public List<Lane> lanes() {
        return lanes.rows();
    }

    @Override
    public Optional<Lane> lane(SessionKey key) {
        return lanes.get(key);
    }

    @Override
    public List<Lane> lanesAt(SessionId session) {
        return lanesOf(session).stream().flatMap(key -> lane(key).stream()).toList();
    }

    @Override
    public List<LaneEvent> events() {
        return history.rows();
    }

    @Override
    public List<LaneEvent> events(SessionKey lane) {
        return Optional.ofNullable(historyByLane.get(lane)).map(Table::rows).orElse(List.of());
    }

    @Override
    public Hold hold(SessionKey lane) {
        return holds.get(lane).orElse(Hold.NONE);
    }

    @Override
    public List<Inbound> inbound() {
        return inbound.rows();
    }

    @Override
    public Optional<Inbound> inbound(InboundId id) {
        return inbound.get(id);
    }

    @Override
    public Optional<Inbound> received(PlatformMessage message) {
        return received.get(message).flatMap(inbound::get);
    }

    @Override
    public long lastOrdinal(SessionKey lane) {
        return lastOrdinals.get(lane).orElse(0L);
    }

    @Override
    public List<Turn> turns() {
        return turns.rows();
    }

    @Override
    public Optional<Turn> turn(TurnId id) {
        return turns.get(id);
    }

    @Override
    public List<Outgoing> outgoing() {
        return outgoing.rows();
    }

    /** The keys of the lanes whose current session this is. */
    private NavigableSet<SessionKey> lanesOf(SessionId session) {
        return lanesBySession.getOrDefault(session, Collections.emptyNavigableSet());
    }

    private Optional<Table<MessageId, StoredMessage>> messageTable(SessionId session) {
        return Optional.ofNullable(messages.get(session));
    }

    /** What the tables say to preconditions and refusals. */
    private final class Known implements Precondition.Facts<RuntimeException> {
        @Override
        public boolean exists(SessionId session) {
            return sessions.has(session);
        }

        @Override
        public boolean isTitleTaken(String title, SessionId by) {
            return titled(title).filter(s -> !s.id().equals(by)).isPresent();
        }

        @Override
        public long epoch(SessionKey lane) {
            return lanes.get(lane).map(Lane::epoch).orElse(Lane.ABSENT);
        }

        @Override
        public boolean isClaimed(TurnId turn, RunId run) {
            return turns.get(turn)
                    .filter(t -> t.state() == Turn.State.CLAIMED && t.run().equals(run))
                    .isPresent();
        }

        @Override
        public boolean isReceived(PlatformMessage message) {
            return received(message).isPresent();
        }

        @Override
        public boolean isAdmitted(InboundId id) {
            return inbound.get(id)
                    .filter(i -> i.state() == Inbound.State.ADMITTED)
                    .isPresent();
        }

        @Override
        public boolean isCurrent(SessionId session) {
            return !lanesOf(session).isEmpty();
        }

        @Override
        public Hold hold(SessionKey lane) {
            return MemoryData.this.hold(lane);
        }

        @Override
        public long lastOrdinal(SessionKey lane) {
            return MemoryData.this.lastOrdinal(lane);
        }
    }

    /** Applies each change to the tables. */
    private final class Changes implements Change.Visitor {
        @Override
        public void createSession(Change.CreateSession change) {
            Session session = change.session();
            if (!sessions.has(session.id())) {
                refuse(Refusals.ofNew(session, known));
                sessions.put(session.id(), session);
            }
        }

        @Override
        public void editSession(Change.EditSession change) {
            sessions.get(change.session()).ifPresent(session -> {
                refuse(Refusals.ofEdit(session.id(), change.edit(), known));
                sessions.put(session.id(), change.edit().applyTo(session));
            });
        }

        @Override
        public void deleteSession(Change.DeleteSession change) {
            SessionId id = change.session();
            if (!sessions.has(id)) {
                return;
            }
            sessions.rows().stream()
                    .filter(s -> s.parent().filter(id::equals).isPresent())
                    .forEach(child -> sessions.put(
                            child.id(), child.toBuilder().parent(null).build()));
            messageTable(id).ifPresent(table -> table.removeIf(m -> true));
            sessions.remove(id);
        }

        @Override
        public void putLane(Change.PutLane change) {
            Lane lane = change.lane();
            unlink(lane.key());
            lanes.put(lane.key(), lane);
            link(lane);
        }

        @Override
        public void touchLane(Change.TouchLane change) {
            lanes.get(change.lane())
                    .ifPresent(lane -> lanes.put(lane.key(), new Lane(change.applyTo(lane.entry()), lane.epoch())));
        }

        @Override
        public void removeLane(Change.RemoveLane change) {
            unlink(change.lane());
            lanes.remove(change.lane());
        }

        private void link(Lane lane) {
            NavigableSet<SessionKey> keys =
                    lanesBySession.computeIfAbsent(lane.entry().sessionId(), id -> new TreeSet<>());
            keys.add(lane.key());
            undo.add(() -> keys.remove(lane.key()));
        }

        private void unlink(SessionKey key) {
            lanes.get(key).ifPresent(lane -> {
                NavigableSet<SessionKey> keys =
                        lanesBySession.computeIfAbsent(lane.entry().sessionId(), id -> new TreeSet<>());
                keys.remove(key);
                undo.add(() -> keys.add(key));
            });
        }

        @Override
        public void appendMessages(Change.AppendMessages change) {
            refuse(Refusals.ofMessages(change.session(), known));
            MessageCounts stored = store(change.session(), change.messages());
            update(change.session(), stored::addedTo);
        }

        @Override
        public void hideMessages(Change.HideMessages change) {
            messageTable(change.session())
                    .ifPresent(table -> change.messages()
                            .forEach(id -> table.get(id)
                                    .filter(StoredMessage::isActive)
                                    .ifPresent(m -> table.put(
                                            id,
                                            new StoredMessage(m.sequence(), m.session(), m.message(), change.as())))));
            if (change.as() == StoredMessage.State.REWOUND) {
                update(change.session(), Session::rewound);
            }
        }

        @Override
        public void replaceMessages(Change.ReplaceMessages change) {
            if (change.messages().isEmpty() && !sessions.has(change.session())) {
                return;
            }
            refuse(Refusals.ofMessages(change.session(), known));
            messageTable(change.session()).ifPresent(table -> table.removeIf(StoredMessage::isActive));
            MessageCounts stored = store(change.session(), change.messages());
            update(change.session(), stored::setOn);
        }

        @Override
        public void importMessages(Change.ImportMessages change) {
            for (StoredMessage message : change.messages()) {
                refuse(Refusals.ofMessages(message.session(), known));
                store(message.session(), message.message(), message.state());
            }
        }

        /** Returns false where the session has a message with this id. */
        private boolean store(SessionId session, Message message, StoredMessage.State state) {
            Table<MessageId, StoredMessage> table = messages.computeIfAbsent(session, id -> new Table<>(undo));
            if (table.has(message.id())) {
                return false;
            }
            table.put(message.id(), new StoredMessage(++lastSequence, session, message, state));
            return true;
        }

        private MessageCounts store(SessionId session, List<Message> all) {
            return MessageCounts.of(all.stream()
                    .filter(message -> store(session, message, StoredMessage.State.ACTIVE))
                    .toList());
        }

        private void update(SessionId id, UnaryOperator<Session> next) {
            sessions.get(id).ifPresent(session -> sessions.put(id, next.apply(session)));
        }

        @Override
        public void addUsage(Change.AddUsage change) {
            sessions.get(change.session())
                    .flatMap(session -> change.slot(session.source(), session.model()))
                    .ifPresent(key -> use(key, slot -> slot.plus(change.usage())));
            update(change.session(), session -> session.used(change.usage()));
        }

        private void use(UsageSlot.Key key, UnaryOperator<UsageSlot> more) {
            usage.put(key, more.apply(usage.get(key).orElse(UsageSlot.empty(key))));
        }

        @Override
        public void putInbound(Change.PutInbound change) {
            Inbound message = change.inbound();
            inbound.put(message.id(), message);
            message.platformMessage()
                    .filter(name -> !received.has(name))
                    .ifPresent(name -> received.put(name, message.id()));
            lastOrdinals.put(
                    message.lane(),
                    Math.max(message.ordinal(), lastOrdinals.get(message.lane()).orElse(0L)));
        }

        @Override
        public void putTurn(Change.PutTurn change) {
            Turn turn = change.turn();
            if (change.ends(turns.get(turn.id()))) {
                sessions.get(turn.session())
                        .flatMap(session -> change.slot(session.source(), session.model()))
                        .ifPresent(key -> use(key, UsageSlot::plusTurn));
            }
            turns.put(turn.id(), turn);
        }

        @Override
        public void putOutgoing(Change.PutOutgoing change) {
            outgoing.put(change.outgoing().id(), change.outgoing());
        }

        @Override
        public void appendHistory(Change.AppendHistory change) {
            long place = ++lastEvent;
            history.put(place, change.event());
            historyByLane
                    .computeIfAbsent(change.event().lane(), lane -> new Table<>(undo))
                    .put(place, change.event());
        }

        @Override
        public void putMeta(Change.PutMeta change) {
            meta.put(change.key(), change.value());
        }

        @Override
        public void forget(Change.Forget change) {
            turns.removeIf(change::covers);
            inbound.removeIf(change::covers);
            received.removeIf(id -> !inbound.has(id));
            outgoing.removeIf(change::covers);
            history.removeIf(change::covers);
            historyByLane.values().forEach(table -> table.removeIf(change::covers));
        }

        @Override
        public void putCursor(Change.PutCursor change) {
            change.value()
                    .ifPresentOrElse(value -> cursors.put(change.name(), value), () -> cursors.remove(change.name()));
        }

        @Override
        public void putUsage(Change.PutUsage change) {
            usage.put(change.slot().key(), change.slot());
        }

        @Override
        public void takeLane(Change.TakeLane change) {
            holds.put(change.lane(), known.hold(change.lane()).takenBy(change.holder()));
        }

        @Override
        public void leaveLane(Change.LeaveLane change) {
            holds.get(change.lane()).ifPresent(hold -> holds.put(change.lane(), hold.left()));
        }

        @Override
        public void postInbound(Change.PostInbound change) {
            Inbound posted = change.inbound();
            putInbound(new Change.PutInbound(posted.at(known.lastOrdinal(posted.lane()) + 1)));
        }

        private static void refuse(Optional<String> why) {
            why.ifPresent(text -> {
                throw new InvalidRequest(text);
            });
        }
    }
}
