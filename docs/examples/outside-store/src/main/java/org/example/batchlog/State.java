package org.example.batchlog;

import dev.parley.application.port.InvalidRequest;
import dev.parley.application.scan.StoredLanes;
import dev.parley.application.scan.StoredQueue;
import dev.parley.application.scan.StoredRows;
import dev.parley.domain.change.Batch;
import dev.parley.domain.change.BatchId;
import dev.parley.domain.change.Change;
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
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/** Everything the log's batches have led to. Whoever uses it holds its monitor. */
final class State
        implements Change.Visitor, Precondition.Facts<RuntimeException>, StoredRows, StoredLanes, StoredQueue {
    private final Set<Table<?, ?>> touched = new HashSet<>();
    private final Table<String, Long> writers = new Table<>(touched);
    private final Table<String, Long> counters = new Table<>(touched);
    private final Table<String, SessionId> titles = new Table<>(touched);
    private final Table<SessionId, List<SessionKey>> lanesOf = new Table<>(touched);
    private final Table<PlatformMessage, InboundId> received = new Table<>(touched);
    private final Groups<SessionId, MessageId, StoredMessage> messages = new Groups<>(touched, StoredMessage::sequence);
    private final Groups<SessionKey, Long, Noted> history = new Groups<>(touched, Noted::place);
    private final Table<InboundId, Inbound> inbound = new Table<>(touched);
    private final Table<SessionKey, Long> lastOrdinals = new Table<>(touched);
    private final Table<TurnId, Turn> turns = new Table<>(touched);
    private final Table<OutgoingId, Outgoing> outgoing = new Table<>(touched);
    private final Table<SessionKey, Hold> holds = new Table<>(touched);
    private final Table<UsageSlot.Key, UsageSlot> usage = new Table<>(touched);

    final Table<SessionId, Session> sessions = new Table<>(touched);
    final Table<SessionKey, Lane> lanes = new Table<>(touched);
    final Table<String, String> meta = new Table<>(touched);
    final Table<CursorName, String> cursors = new Table<>(touched);

    /** A line of history and its place in the order of all lines. */
    private record Noted(long place, LaneEvent event) {}

    boolean hasApplied(BatchId id) {
        return id.sequence() <= writers.get(id.writer()).orElse(0L);
    }

    /** Applies the changes of a batch, to be kept or dropped as a whole. */
    void stage(Batch batch) {
        batch.changes().forEach(change -> change.accept(this));
        writers.put(batch.id().writer(), batch.id().sequence());
    }

    void keep() {
        touched.forEach(Table::keep);
        touched.clear();
    }

    void drop() {
        touched.forEach(Table::drop);
        touched.clear();
    }

    // Preconditions

    // docs: preconditions
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
    // docs: end

    @Override
    public boolean isReceived(PlatformMessage message) {
        return received(message).isPresent();
    }

    @Override
    public boolean isAdmitted(InboundId id) {
        return inbound.get(id).filter(i -> i.state() == Inbound.State.ADMITTED).isPresent();
    }

    @Override
    public boolean isTitleTaken(String title, SessionId by) {
        return titles.get(title).filter(owner -> !owner.equals(by)).isPresent();
    }

    @Override
    public boolean exists(SessionId session) {
        return sessions.has(session);
    }

    @Override
    public boolean isCurrent(SessionId session) {
        return !lanesOf(session).isEmpty();
    }

    @Override
    public Hold hold(SessionKey lane) {
        return holds.get(lane).orElse(Hold.NONE);
    }

    @Override
    public long lastOrdinal(SessionKey lane) {
        return lastOrdinals.get(lane).orElse(0L);
    }

    private static void refuse(Optional<String> why) {
        why.ifPresent(text -> {
            throw new InvalidRequest(text);
        });
    }

    @Override
    public Optional<Inbound> received(PlatformMessage message) {
        return received.get(message).flatMap(inbound::get);
    }

    /** The lanes whose current session this is, by key. */
    private List<SessionKey> lanesOf(SessionId session) {
        return lanesOf.get(session).orElse(List.of());
    }

    // Sessions

    @Override
    public List<Session> sessions() {
        return sessions.rows();
    }

    @Override
    public Optional<Session> session(SessionId id) {
        return sessions.get(id);
    }

    // docs: change
    @Override
    public void createSession(Change.CreateSession change) {
        Session session = change.session();
        if (!sessions.has(session.id())) {
            refuse(Refusals.ofNew(session, this));
            store(session);
        }
    }
    // docs: end

    @Override
    public void editSession(Change.EditSession change) {
        sessions.get(change.session()).ifPresent(session -> {
            refuse(Refusals.ofEdit(session.id(), change.edit(), this));
            store(change.edit().applyTo(session));
        });
    }

    private void store(Session session) {
        sessions.get(session.id()).flatMap(Session::title).ifPresent(titles::remove);
        session.title().ifPresent(title -> titles.put(title, session.id()));
        sessions.put(session.id(), session);
    }

    @Override
    public void deleteSession(Change.DeleteSession change) {
        sessions.get(change.session()).ifPresent(session -> {
            sessions.rows().stream()
                    .filter(s -> s.parent().filter(session.id()::equals).isPresent())
                    .forEach(child -> store(child.toBuilder().parent(null).build()));
            messages.of(session.id()).removeIf(m -> true);
            session.title().ifPresent(titles::remove);
            sessions.remove(session.id());
        });
    }

    @Override
    public void addUsage(Change.AddUsage change) {
        sessions.get(change.session()).ifPresent(session -> {
            change.slot(session.source(), session.model()).ifPresent(key -> use(key, s -> s.plus(change.usage())));
            store(session.used(change.usage()));
        });
    }

    private void use(UsageSlot.Key key, UnaryOperator<UsageSlot> more) {
        usage.put(key, more.apply(usage.get(key).orElse(UsageSlot.empty(key))));
    }

    @Override
    public void putUsage(Change.PutUsage change) {
        usage.put(change.slot().key(), change.slot());
    }

    @Override
    public List<UsageSlot> usage() {
        return usage.rows();
    }

    // Messages

    @Override
    public List<StoredMessage> messages(SessionId session) {
        return messages.rows(session);
    }

    @Override
    public void appendMessages(Change.AppendMessages change) {
        refuse(Refusals.ofMessages(change.session(), this));
        MessageCounts stored = append(change.session(), change.messages());
        sessions.get(change.session()).ifPresent(session -> store(stored.addedTo(session)));
    }

    @Override
    public void replaceMessages(Change.ReplaceMessages change) {
        if (change.messages().isEmpty() && !sessions.has(change.session())) {
            return;
        }
        refuse(Refusals.ofMessages(change.session(), this));
        messages.of(change.session()).removeIf(StoredMessage::isActive);
        MessageCounts stored = append(change.session(), change.messages());
        sessions.get(change.session()).ifPresent(session -> store(stored.setOn(session)));
    }

    @Override
    public void importMessages(Change.ImportMessages change) {
        for (StoredMessage message : change.messages()) {
            refuse(Refusals.ofMessages(message.session(), this));
            append(message.session(), message.message(), message.state());
        }
    }

    @Override
    public void hideMessages(Change.HideMessages change) {
        Table<MessageId, StoredMessage> rows = messages.of(change.session());
        change.messages().stream()
                .flatMap(id -> rows.get(id).filter(StoredMessage::isActive).stream())
                .forEach(m -> rows.put(
                        m.message().id(), new StoredMessage(m.sequence(), m.session(), m.message(), change.as())));
        if (change.as() == StoredMessage.State.REWOUND) {
            sessions.get(change.session()).ifPresent(session -> store(session.rewound()));
        }
    }

    private MessageCounts append(SessionId session, List<Message> all) {
        return MessageCounts.of(all.stream()
                .filter(message -> append(session, message, StoredMessage.State.ACTIVE))
                .toList());
    }

    /** Returns false where the session has a message with this id. */
    private boolean append(SessionId session, Message message, StoredMessage.State as) {
        Table<MessageId, StoredMessage> rows = messages.of(session);
        if (rows.has(message.id())) {
            return false;
        }
        rows.put(message.id(), new StoredMessage(next("message"), session, message, as));
        return true;
    }

    private long next(String counter) {
        long next = counters.get(counter).orElse(0L) + 1;
        counters.put(counter, next);
        return next;
    }

    // Lanes

    // docs: lanes
    @Override
    public List<Lane> lanes() {
        return lanes.rows();
    }

    @Override
    public Optional<Lane> lane(SessionKey key) {
        return lanes.get(key);
    }

    @Override
    public List<LaneEvent> events() {
        return history.rows().stream().map(Noted::event).toList();
    }
    // docs: end

    @Override
    public List<LaneEvent> events(SessionKey lane) {
        return history.rows(lane).stream().map(Noted::event).toList();
    }

    @Override
    public void putLane(Change.PutLane change) {
        Lane lane = change.lane();
        unlink(lane.key());
        lanes.put(lane.key(), lane);
        SessionId session = lane.entry().sessionId();
        lanesOf.put(
                session,
                Stream.concat(lanesOf(session).stream(), Stream.of(lane.key()))
                        .sorted()
                        .toList());
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

    private void unlink(SessionKey key) {
        lanes.get(key).map(lane -> lane.entry().sessionId()).ifPresent(session -> {
            List<SessionKey> left =
                    lanesOf(session).stream().filter(k -> !k.equals(key)).toList();
            if (left.isEmpty()) {
                lanesOf.remove(session);
            } else {
                lanesOf.put(session, left);
            }
        });
    }

    @Override
    public void appendHistory(Change.AppendHistory change) {
        long place = next("history");
        history.of(change.event().lane()).put(place, new Noted(place, change.event()));
    }

    // The queue

    @Override
    public List<Inbound> inbound() {
        return inbound.rows();
    }

    @Override
    public Optional<Inbound> inbound(InboundId id) {
        return inbound.get(id);
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
    public void putMeta(Change.PutMeta change) {
        meta.put(change.key(), change.value());
    }

    @Override
    public void forget(Change.Forget change) {
        turns.removeIf(change::covers);
        inbound.removeIf(change::covers);
        received.removeIf(id -> !inbound.has(id));
        outgoing.removeIf(change::covers);
        history.forEach(table -> table.removeIf(noted -> change.covers(noted.event())));
    }

    @Override
    public void postInbound(Change.PostInbound change) {
        Inbound posted = change.inbound();
        putInbound(new Change.PutInbound(posted.at(lastOrdinal(posted.lane()) + 1)));
    }

    // Platforms and gateways

    @Override
    public void putCursor(Change.PutCursor change) {
        change.value().ifPresentOrElse(value -> cursors.put(change.name(), value), () -> cursors.remove(change.name()));
    }

    @Override
    public void takeLane(Change.TakeLane change) {
        holds.put(change.lane(), hold(change.lane()).takenBy(change.holder()));
    }

    @Override
    public void leaveLane(Change.LeaveLane change) {
        holds.get(change.lane()).ifPresent(hold -> holds.put(change.lane(), hold.left()));
    }
}
