package dev.parley.persistence.jsonl.state;

import dev.parley.application.port.InvalidRequest;
import dev.parley.domain.change.Batch;
import dev.parley.domain.change.Change;
import dev.parley.domain.change.Precondition;
import dev.parley.domain.change.SessionEdit;
import dev.parley.domain.key.SessionKey;
import dev.parley.domain.session.Lane;
import dev.parley.domain.session.Session;
import dev.parley.domain.session.SessionId;
import dev.parley.domain.transcript.Message;
import dev.parley.domain.transcript.MessageId;
import dev.parley.domain.transcript.StoredMessage;
import dev.parley.domain.turn.Inbound;
import dev.parley.domain.turn.Turn;
import dev.parley.domain.usage.TokenUsage;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/**
 * What a batch will do, found out before it is written to the journal: whether its preconditions hold, whether each change is sound
 * after those before it, which files it appends to, how many messages it stores, and what it has in common with other batches.
 */
final class Plan implements Change.Visitor {
    private final Store store;
    private final Batch batch;
    private final Map<SessionId, Planned> planned = new HashMap<>();
    private final Map<String, Optional<SessionId>> titles = new HashMap<>();
    private final Set<Object> footprint = new HashSet<>();
    private final Map<SessionId, Session> created = new LinkedHashMap<>();
    private final Set<SessionId> appended = new HashSet<>();
    private final List<Integer> known = new ArrayList<>();
    private int considered;
    private long stored;

    /** Two things that batches can have in common beside sessions, turns, messages and lanes. */
    private record Title(String text) {}

    /** That a lane points at a session. */
    private record Current(SessionId session) {}

    /** A session as the batch leaves it so far. */
    private static final class Planned {
        private boolean there;
        private Optional<String> title = Optional.empty();
        private TokenUsage tokens = TokenUsage.NONE;
        private Optional<StoredSession> before = Optional.empty();
        private boolean replaced;
        private final Set<MessageId> added = new HashSet<>();
        private final Set<MessageId> hidden = new HashSet<>();
    }

    Plan(Store store, Batch batch) {
        this.store = store;
        this.batch = batch;
    }

    Batch batch() {
        return batch;
    }

    /** Returns the first precondition that does not hold, or nothing. */
    Optional<Precondition> failed() {
        for (Precondition each : batch.preconditions()) {
            if (!holds(each)) {
                return Optional.of(each);
            }
        }
        return Optional.empty();
    }

    /** Looks at each change; throws {@link InvalidRequest} where one is refused. */
    void prepare() {
        batch.changes().forEach(change -> change.accept(this));
    }

    /** Returns what the batch reads and writes, as far as another batch could change what it means. */
    Set<Object> footprint() {
        return footprint;
    }

    /** Returns the sessions the batch creates, those too that it deletes again. */
    Map<SessionId, Session> created() {
        return created;
    }

    /** Returns the sessions whose files the batch appends to. */
    Set<SessionId> appended() {
        return appended;
    }

    /** Returns the messages that are stored already, by their place among all messages of the batch. */
    List<Integer> known() {
        return known;
    }

    /** Returns how many messages the batch stores. */
    long stored() {
        return stored;
    }

    private boolean holds(Precondition precondition) {
        Tables tables = store.tables();
        if (precondition instanceof Precondition.LaneEpoch p) {
            footprint.add(p.lane());
            return tables.lane(p.lane()).map(Lane::epoch).orElse(Lane.ABSENT) == p.epoch();
        }
        if (precondition instanceof Precondition.TurnClaimed p) {
            footprint.add(p.turn());
            return tables.turn(p.turn())
                    .filter(turn ->
                            turn.state() == Turn.State.CLAIMED && turn.run().equals(p.run()))
                    .isPresent();
        }
        if (precondition instanceof Precondition.NotReceived p) {
            footprint.add(p.message());
            return tables.received(p.message()).isEmpty();
        }
        if (precondition instanceof Precondition.StillAdmitted p) {
            footprint.add(p.inbound());
            return tables.inbound(p.inbound())
                    .filter(inbound -> inbound.state() == Inbound.State.ADMITTED)
                    .isPresent();
        }
        if (precondition instanceof Precondition.TitleFree p) {
            footprint.add(new Title(p.title()));
            return ownerOf(p.title()).filter(id -> !id.equals(p.session())).isEmpty();
        }
        if (precondition instanceof Precondition.SessionExists p) {
            return planned(p.session()).there;
        }
        if (precondition instanceof Precondition.SessionAbsent p) {
            return !planned(p.session()).there;
        }
        if (precondition instanceof Precondition.NotCurrent p) {
            footprint.add(new Current(p.session()));
            return tables.laneOf(p.session()).isEmpty();
        }
        throw new IllegalStateException("This store does not know the precondition " + precondition + ".");
    }

    private Planned planned(SessionId id) {
        footprint.add(id);
        return planned.computeIfAbsent(id, each -> {
            Planned fresh = new Planned();
            store.stored(id).ifPresent(there -> {
                fresh.there = true;
                fresh.title = there.session.title();
                fresh.tokens = there.session.tokens();
                fresh.before = Optional.of(there);
            });
            return fresh;
        });
    }

    private Optional<SessionId> ownerOf(String title) {
        return titles.getOrDefault(title, store.titled(title));
    }

    private void retitle(SessionId id, Planned session, Optional<String> title) {
        title.ifPresent(text -> {
            footprint.add(new Title(text));
            if (ownerOf(text).filter(owner -> !owner.equals(id)).isPresent()) {
                throw new InvalidRequest("The title \"" + text + "\" belongs to another session; take another one.");
            }
        });
        session.title.ifPresent(before -> titles.put(before, Optional.empty()));
        title.ifPresent(text -> titles.put(text, Optional.of(id)));
        session.title = title;
    }

    private void require(SessionId id, String otherwise) {
        if (!planned(id).there) {
            throw new InvalidRequest("The session " + id + " is not stored and " + otherwise + "; create it before.");
        }
    }

    @Override
    public void createSession(Change.CreateSession change) {
        Session session = change.session();
        Planned now = planned(session.id());
        if (now.there) {
            return;
        }
        session.parent().ifPresent(parent -> require(parent, "cannot be a parent"));
        retitle(session.id(), now, session.title());
        now.there = true;
        now.tokens = session.tokens();
        now.before = Optional.empty();
        created.putIfAbsent(session.id(), session);
    }

    @Override
    public void editSession(Change.EditSession change) {
        Planned now = planned(change.session());
        if (!now.there) {
            return;
        }
        if (change.edit() instanceof SessionEdit.Retitle edit) {
            retitle(change.session(), now, edit.title());
        } else if (change.edit() instanceof SessionEdit.Parent edit) {
            edit.parent().ifPresent(parent -> require(parent, "cannot be a parent"));
        }
    }

    @Override
    public void deleteSession(Change.DeleteSession change) {
        Planned now = planned(change.session());
        if (!now.there) {
            return;
        }
        retitle(change.session(), now, Optional.empty());
        now.there = false;
        now.before = Optional.empty();
        now.replaced = false;
        now.added.clear();
        now.hidden.clear();
        appended.remove(change.session());
        store.childrenOf(change.session()).forEach(child -> footprint.add(child.id()));
    }

    @Override
    public void putLane(Change.PutLane change) {
        footprint.add(change.lane().key());
        footprint.add(new Current(change.lane().entry().sessionId()));
        leaves(change.lane().key());
    }

    @Override
    public void touchLane(Change.TouchLane change) {
        footprint.add(change.lane());
        store.tables().lane(change.lane()).ifPresent(lane -> countable(() -> change.applyTo(lane.entry())));
    }

    /** Counts that run over are refused before anything is stored. */
    private static <T> T countable(Supplier<T> count) {
        try {
            return count.get();
        } catch (IllegalArgumentException | ArithmeticException runOver) {
            throw new InvalidRequest("The usage cannot be added: " + runOver.getMessage());
        }
    }

    @Override
    public void removeLane(Change.RemoveLane change) {
        footprint.add(change.lane());
        leaves(change.lane());
    }

    private void leaves(SessionKey key) {
        store.tables()
                .lane(key)
                .ifPresent(lane -> footprint.add(new Current(lane.entry().sessionId())));
    }

    @Override
    public void appendMessages(Change.AppendMessages change) {
        require(change.session(), "cannot take messages");
        change.messages().forEach(message -> add(change.session(), message));
    }

    private void add(SessionId id, Message message) {
        Planned now = toBeAppended(id);
        if (isNew(now, message.id())) {
            now.added.add(message.id());
            stored++;
        }
    }

    private Planned toBeAppended(SessionId id) {
        appended.add(id);
        return planned(id);
    }

    /** Reads the transcript, so that nothing can fail once the batch is in the journal. */
    private Planned withTranscript(SessionId id) {
        Planned now = toBeAppended(id);
        now.before.ifPresent(store::transcript);
        return now;
    }

    /** Returns whether the session has no message with this id; takes note where it has one. */
    private boolean isNew(Planned now, MessageId id) {
        int place = considered++;
        boolean isThere = now.added.contains(id)
                || now.before
                        .flatMap(before -> store.message(before, id))
                        .filter(row -> !now.replaced || !row.isActive() || now.hidden.contains(id))
                        .isPresent();
        if (isThere) {
            known.add(place);
        }
        return !isThere;
    }

    @Override
    public void hideMessages(Change.HideMessages change) {
        if (planned(change.session()).there) {
            withTranscript(change.session()).hidden.addAll(change.messages());
        }
    }

    @Override
    public void replaceMessages(Change.ReplaceMessages change) {
        if (change.messages().isEmpty() && !planned(change.session()).there) {
            return;
        }
        require(change.session(), "cannot take messages");
        Planned now = withTranscript(change.session());
        now.replaced = true;
        now.added.retainAll(now.hidden);
        change.messages().forEach(message -> add(change.session(), message));
    }

    @Override
    public void importMessages(Change.ImportMessages change) {
        for (StoredMessage message : change.messages()) {
            require(message.session(), "cannot take messages");
            Planned now = toBeAppended(message.session());
            if (isNew(now, message.message().id())) {
                now.added.add(message.message().id());
                if (!message.isActive()) {
                    now.hidden.add(message.message().id());
                }
                stored++;
            }
        }
    }

    @Override
    public void addUsage(Change.AddUsage change) {
        Planned now = planned(change.session());
        now.tokens = countable(() -> change.usage().applyTo(now.tokens));
    }

    @Override
    public void putInbound(Change.PutInbound change) {
        footprint.add(change.inbound().id());
        footprint.add(change.inbound().lane());
        change.inbound().platformMessage().ifPresent(footprint::add);
    }

    @Override
    public void putTurn(Change.PutTurn change) {
        footprint.add(change.turn().id());
        footprint.add(change.turn().session());
    }

    @Override
    public void putOutgoing(Change.PutOutgoing change) {
        footprint.add(change.outgoing().id());
    }

    @Override
    public void appendHistory(Change.AppendHistory change) {
        // Lines of history stand for themselves.
    }

    @Override
    public void putMeta(Change.PutMeta change) {
        // The last one stored counts, whatever stood there.
    }

    @Override
    public void forget(Change.Forget change) {
        // What is forgotten has ended; no batch asks for it.
    }
}
