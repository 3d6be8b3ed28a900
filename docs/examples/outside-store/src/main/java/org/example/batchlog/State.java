package org.example.batchlog;

import dev.parley.application.port.InvalidRequest;
import dev.parley.application.scan.Rows;
import dev.parley.domain.change.Batch;
import dev.parley.domain.change.BatchId;
import dev.parley.domain.change.Change;
import dev.parley.domain.change.LaneEvent;
import dev.parley.domain.change.Precondition;
import dev.parley.domain.change.SessionEdit;
import dev.parley.domain.key.SessionKey;
import dev.parley.domain.session.Lane;
import dev.parley.domain.session.Session;
import dev.parley.domain.session.SessionId;
import dev.parley.domain.transcript.Message;
import dev.parley.domain.transcript.MessageId;
import dev.parley.domain.transcript.StoredMessage;
import dev.parley.domain.transcript.ToolCalls;
import dev.parley.domain.turn.Inbound;
import dev.parley.domain.turn.InboundId;
import dev.parley.domain.turn.Outgoing;
import dev.parley.domain.turn.OutgoingId;
import dev.parley.domain.turn.PlatformMessage;
import dev.parley.domain.turn.Turn;
import dev.parley.domain.turn.TurnId;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** Everything the log's batches have led to. Whoever uses it holds its monitor. */
final class State implements Change.Visitor, Rows {
    private final Set<Table<?, ?>> touched = new HashSet<>();
    private final Table<String, Long> writers = new Table<>(touched);
    private final Table<String, Long> counters = new Table<>(touched);
    private final Table<String, SessionId> titles = new Table<>(touched);
    private final Table<SessionId, List<SessionKey>> lanesOf = new Table<>(touched);
    private final Table<PlatformMessage, InboundId> received = new Table<>(touched);
    private final Groups<SessionId, MessageId, StoredMessage> messages = new Groups<>(touched, StoredMessage::sequence);

    final Table<SessionId, Session> sessions = new Table<>(touched);
    final Table<SessionKey, Lane> lanes = new Table<>(touched);
    final Groups<SessionKey, Long, Noted> history = new Groups<>(touched, Noted::place);
    final Table<InboundId, Inbound> inbound = new Table<>(touched);
    final Table<SessionKey, Long> lastOrdinals = new Table<>(touched);
    final Table<TurnId, Turn> turns = new Table<>(touched);
    final Table<OutgoingId, Outgoing> outgoing = new Table<>(touched);
    final Table<String, String> meta = new Table<>(touched);

    /** A line of history and its place in the order of all lines. */
    record Noted(long place, LaneEvent event) {}

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
    boolean holds(Precondition precondition) {
        if (precondition instanceof Precondition.LaneEpoch p) {
            return lanes.get(p.lane()).map(Lane::epoch).orElse(Lane.ABSENT) == p.epoch();
        }
        if (precondition instanceof Precondition.TurnClaimed p) {
            return turns.get(p.turn())
                    .filter(t -> t.state() == Turn.State.CLAIMED && t.run().equals(p.run()))
                    .isPresent();
        }
        // docs: end
        if (precondition instanceof Precondition.NotReceived p) {
            return received(p.message()).isEmpty();
        }
        if (precondition instanceof Precondition.StillAdmitted p) {
            return inbound.get(p.inbound())
                    .filter(i -> i.state() == Inbound.State.ADMITTED)
                    .isPresent();
        }
        if (precondition instanceof Precondition.TitleFree p) {
            return isFree(p.title(), p.session());
        }
        if (precondition instanceof Precondition.SessionExists p) {
            return sessions.has(p.session());
        }
        if (precondition instanceof Precondition.SessionAbsent p) {
            return !sessions.has(p.session());
        }
        if (precondition instanceof Precondition.NotCurrent p) {
            return lanesOf(p.session()).isEmpty();
        }
        throw new IllegalStateException("This backend does not know the precondition " + precondition + ".");
    }

    private boolean isFree(String title, SessionId session) {
        return titles.get(title).filter(owner -> !owner.equals(session)).isEmpty();
    }

    Optional<Inbound> received(PlatformMessage message) {
        return received.get(message).flatMap(inbound::get);
    }

    /** The lanes whose current session this is, by key. */
    List<SessionKey> lanesOf(SessionId session) {
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
            session.parent().ifPresent(parent -> require(parent, "cannot be a parent"));
            store(session);
        }
    }
    // docs: end

    @Override
    public void editSession(Change.EditSession change) {
        sessions.get(change.session()).ifPresent(session -> store(edited(session, change.edit())));
    }

    private Session edited(Session session, SessionEdit edit) {
        Session.Builder next = session.toBuilder();
        if (edit instanceof SessionEdit.End e) {
            next.ending(session.ending().orElse(e.ending()));
        } else if (edit instanceof SessionEdit.Reopen) {
            next.ending(null);
        } else if (edit instanceof SessionEdit.Retitle e) {
            next.title(e.title().orElse(null));
        } else if (edit instanceof SessionEdit.SystemPrompt e) {
            next.systemPrompt(e.text());
        } else if (edit instanceof SessionEdit.Model e) {
            next.model(e.model());
            e.config().ifPresent(next::modelConfig);
        } else if (edit instanceof SessionEdit.Parent e) {
            e.parent().ifPresent(parent -> require(parent, "cannot be a parent"));
            next.parent(e.parent().orElse(null));
        } else if (edit instanceof SessionEdit.Peer e) {
            next.peer(e.peer());
        } else if (edit instanceof SessionEdit.Counts e) {
            next.counts(e.messages(), e.toolCalls());
        } else {
            throw new IllegalStateException("This backend does not know the edit " + edit + ".");
        }
        return next.build();
    }

    private void store(Session session) {
        session.title().filter(title -> !isFree(title, session.id())).ifPresent(title -> {
            throw new InvalidRequest("The title \"" + title + "\" belongs to another session; take another one.");
        });
        sessions.get(session.id()).flatMap(Session::title).ifPresent(titles::remove);
        session.title().ifPresent(title -> titles.put(title, session.id()));
        sessions.put(session.id(), session);
    }

    private void require(SessionId id, String otherwise) {
        if (!sessions.has(id)) {
            throw new InvalidRequest("The session " + id + " is not stored and " + otherwise + "; create it before.");
        }
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
        sessions.get(change.session())
                .ifPresent(s -> store(s.toBuilder()
                        .usage(
                                change.usage().applyTo(s.tokens()),
                                change.usage().applyTo(s.apiCalls()))
                        .billing(change.usage().applyTo(s.billing()))
                        .model(s.model().or(change.usage()::model).orElse(null))
                        .build()));
    }

    // Messages

    @Override
    public List<StoredMessage> messages(SessionId session) {
        return messages.rows(session);
    }

    @Override
    public void appendMessages(Change.AppendMessages change) {
        require(change.session(), "cannot take messages");
        Counts stored = append(change.session(), change.messages());
        sessions.get(change.session())
                .ifPresent(s -> store(s.toBuilder()
                        .counts(s.messageCount() + stored.messages(), s.toolCallCount() + stored.toolCalls())
                        .build()));
    }

    @Override
    public void replaceMessages(Change.ReplaceMessages change) {
        if (change.messages().isEmpty() && !sessions.has(change.session())) {
            return;
        }
        require(change.session(), "cannot take messages");
        messages.of(change.session()).removeIf(StoredMessage::isActive);
        Counts stored = append(change.session(), change.messages());
        sessions.get(change.session())
                .ifPresent(s -> store(s.toBuilder()
                        .counts(stored.messages(), stored.toolCalls())
                        .build()));
    }

    @Override
    public void importMessages(Change.ImportMessages change) {
        for (StoredMessage message : change.messages()) {
            require(message.session(), "cannot take messages");
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
            sessions.get(change.session())
                    .ifPresent(s ->
                            store(s.toBuilder().rewindCount(s.rewindCount() + 1).build()));
        }
    }

    /** How many messages were stored, and how many tool calls they ask for. */
    private record Counts(long messages, long toolCalls) {}

    private Counts append(SessionId session, List<Message> all) {
        List<Message> stored = all.stream()
                .filter(message -> append(session, message, StoredMessage.State.ACTIVE))
                .toList();
        return new Counts(
                stored.size(),
                stored.stream()
                        .flatMap(m -> m.toolCalls().stream())
                        .mapToLong(ToolCalls::count)
                        .sum());
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
        turns.put(change.turn().id(), change.turn());
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
        turns.removeIf(t ->
                t.endedAt().filter(end -> end.isBefore(change.endedBefore())).isPresent());
        inbound.removeIf(i -> (i.state() == Inbound.State.DONE || i.state() == Inbound.State.DROPPED)
                && i.receivedAt().isBefore(change.endedBefore()));
        received.removeIf(id -> !inbound.has(id));
        outgoing.removeIf(o -> (o.state() == Outgoing.State.DELIVERED || o.state() == Outgoing.State.EXPIRED)
                && o.createdAt().isBefore(change.endedBefore()));
        change.historyBefore()
                .ifPresent(limit -> history.forEach(
                        lane -> lane.removeIf(noted -> noted.event().at().isBefore(limit))));
    }
}
