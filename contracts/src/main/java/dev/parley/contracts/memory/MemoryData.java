package dev.parley.contracts.memory;

import dev.parley.application.port.InvalidRequest;
import dev.parley.application.port.Journal;
import dev.parley.application.port.ParleyException;
import dev.parley.application.scan.Rows;
import dev.parley.domain.change.Batch;
import dev.parley.domain.change.Change;
import dev.parley.domain.change.CommitResult;
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
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.TreeSet;

/**
 * Everything a store holds, and the one way it changes. Outlives the openings of the store. Whoever uses it holds its monitor.
 */
final class MemoryData implements Rows {
    private final UndoLog undo = new UndoLog();
    private final Changes changes = new Changes();
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
            if (!holds(precondition)) {
                return new CommitResult.Conflict(precondition);
            }
        }
        boolean done = false;
        try {
            batch.changes().forEach(change -> change.accept(changes));
            writers.put(batch.id().writer(), batch.id().sequence());
            done = true;
        } catch (RuntimeException | Error e) {
            throw ParleyException.ofBatch(batch.id(), e);
        } finally {
            if (done) {
                undo.forget();
            } else {
                undo.rollBack();
            }
        }
        return new CommitResult.Committed();
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

    /** The keys of the lanes whose current session this is. */
    NavigableSet<SessionKey> lanesOf(SessionId session) {
        return lanesBySession.getOrDefault(session, Collections.emptyNavigableSet());
    }

    /** A lane's history, oldest first. */
    List<LaneEvent> historyOf(SessionKey lane) {
        return Optional.ofNullable(historyByLane.get(lane)).map(Table::rows).orElse(List.of());
    }

    Optional<Inbound> received(PlatformMessage message) {
        return received.get(message).flatMap(inbound::get);
    }

    private Optional<Table<MessageId, StoredMessage>> messageTable(SessionId session) {
        return Optional.ofNullable(messages.get(session));
    }

    private boolean holds(Precondition precondition) {
        if (precondition instanceof Precondition.LaneEpoch p) {
            return lanes.get(p.lane()).map(Lane::epoch).orElse(Lane.ABSENT) == p.epoch();
        }
        if (precondition instanceof Precondition.TurnClaimed p) {
            return turns.get(p.turn())
                    .filter(t -> t.state() == Turn.State.CLAIMED && t.run().equals(p.run()))
                    .isPresent();
        }
        if (precondition instanceof Precondition.NotReceived p) {
            return received(p.message()).isEmpty();
        }
        if (precondition instanceof Precondition.StillAdmitted p) {
            return inbound.get(p.inbound())
                    .filter(i -> i.state() == Inbound.State.ADMITTED)
                    .isPresent();
        }
        if (precondition instanceof Precondition.TitleFree p) {
            return isTitleFree(p.title(), p.session());
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
        throw new IllegalStateException("This store does not know the precondition " + precondition + ".");
    }

    private boolean isTitleFree(String title, SessionId session) {
        return titled(title).filter(s -> !s.id().equals(session)).isEmpty();
    }

    private static long toolCalls(Message message) {
        return message.toolCalls().map(ToolCalls::count).orElse(0);
    }

    /** Applies each change to the tables. */
    private final class Changes implements Change.Visitor {
        @Override
        public void createSession(Change.CreateSession change) {
            Session session = change.session();
            if (!sessions.has(session.id())) {
                session.parent().ifPresent(parent -> requireSession(parent, "cannot be a parent"));
                session.title().ifPresent(title -> requireFree(title, session.id()));
                sessions.put(session.id(), session);
            }
        }

        @Override
        public void editSession(Change.EditSession change) {
            sessions.get(change.session()).ifPresent(session -> edit(session, change.edit()));
        }

        private void edit(Session session, SessionEdit edit) {
            Session.Builder next = session.toBuilder();
            if (edit instanceof SessionEdit.End e) {
                next.ending(session.ending().orElse(e.ending()));
            } else if (edit instanceof SessionEdit.Reopen) {
                next.ending(null);
            } else if (edit instanceof SessionEdit.Retitle e) {
                e.title().ifPresent(title -> requireFree(title, session.id()));
                next.title(e.title().orElse(null));
            } else if (edit instanceof SessionEdit.SystemPrompt e) {
                next.systemPrompt(e.text());
            } else if (edit instanceof SessionEdit.Model e) {
                next.model(e.model());
                e.config().ifPresent(next::modelConfig);
            } else if (edit instanceof SessionEdit.Parent e) {
                e.parent().ifPresent(parent -> requireSession(parent, "cannot be a parent"));
                next.parent(e.parent().orElse(null));
            } else if (edit instanceof SessionEdit.Peer e) {
                next.peer(e.peer());
            } else if (edit instanceof SessionEdit.Counts e) {
                next.counts(e.messages(), e.toolCalls());
            } else {
                throw new IllegalStateException("This store does not know the edit " + edit + ".");
            }
            sessions.put(session.id(), next.build());
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
            requireSession(change.session(), "cannot take messages");
            long stored = 0;
            long calls = 0;
            for (Message message : change.messages()) {
                if (store(change.session(), message, StoredMessage.State.ACTIVE)) {
                    stored++;
                    calls += toolCalls(message);
                }
            }
            count(change.session(), stored, calls, true);
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
                sessions.get(change.session())
                        .ifPresent(s -> sessions.put(
                                s.id(),
                                s.toBuilder().rewindCount(s.rewindCount() + 1).build()));
            }
        }

        @Override
        public void replaceMessages(Change.ReplaceMessages change) {
            if (change.messages().isEmpty() && !sessions.has(change.session())) {
                return;
            }
            requireSession(change.session(), "cannot take messages");
            messageTable(change.session()).ifPresent(table -> table.removeIf(StoredMessage::isActive));
            long stored = 0;
            long calls = 0;
            for (Message message : change.messages()) {
                if (store(change.session(), message, StoredMessage.State.ACTIVE)) {
                    stored++;
                    calls += toolCalls(message);
                }
            }
            count(change.session(), stored, calls, false);
        }

        @Override
        public void importMessages(Change.ImportMessages change) {
            for (StoredMessage message : change.messages()) {
                requireSession(message.session(), "cannot take messages");
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

        private void count(SessionId id, long stored, long calls, boolean added) {
            sessions.get(id)
                    .ifPresent(s -> sessions.put(
                            id,
                            s.toBuilder()
                                    .counts(
                                            added ? s.messageCount() + stored : stored,
                                            added ? s.toolCallCount() + calls : calls)
                                    .build()));
        }

        @Override
        public void addUsage(Change.AddUsage change) {
            sessions.get(change.session())
                    .ifPresent(s -> sessions.put(
                            s.id(),
                            s.toBuilder()
                                    .usage(
                                            change.usage().applyTo(s.tokens()),
                                            change.usage().applyTo(s.apiCalls()))
                                    .billing(change.usage().applyTo(s.billing()))
                                    .model(s.model().or(change.usage()::model).orElse(null))
                                    .build()));
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
            turns.put(change.turn().id(), change.turn());
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
            turns.removeIf(t -> t.endedAt()
                    .filter(end -> end.isBefore(change.endedBefore()))
                    .isPresent());
            inbound.removeIf(i -> (i.state() == Inbound.State.DONE || i.state() == Inbound.State.DROPPED)
                    && i.receivedAt().isBefore(change.endedBefore()));
            received.removeIf(id -> !inbound.has(id));
            outgoing.removeIf(o -> (o.state() == Outgoing.State.DELIVERED || o.state() == Outgoing.State.EXPIRED)
                    && o.createdAt().isBefore(change.endedBefore()));
            change.historyBefore().ifPresent(limit -> {
                history.removeIf(event -> event.at().isBefore(limit));
                historyByLane
                        .values()
                        .forEach(table -> table.removeIf(event -> event.at().isBefore(limit)));
            });
        }

        private void requireSession(SessionId id, String otherwise) {
            if (!sessions.has(id)) {
                throw new InvalidRequest(
                        "The session " + id + " is not stored and " + otherwise + "; create it before.");
            }
        }

        private void requireFree(String title, SessionId session) {
            if (!isTitleFree(title, session)) {
                throw new InvalidRequest("The title \"" + title + "\" belongs to another session; take another one.");
            }
        }
    }
}
