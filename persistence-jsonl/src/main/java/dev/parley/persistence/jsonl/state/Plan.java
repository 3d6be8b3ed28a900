package dev.parley.persistence.jsonl.state;

import dev.parley.application.port.InvalidRequest;
import dev.parley.domain.change.Batch;
import dev.parley.domain.change.Change;
import dev.parley.domain.change.Precondition;
import dev.parley.domain.change.Refusals;
import dev.parley.domain.change.SessionEdit;
import dev.parley.domain.key.SessionKey;
import dev.parley.domain.session.Lane;
import dev.parley.domain.session.Session;
import dev.parley.domain.session.SessionId;
import dev.parley.domain.transcript.Message;
import dev.parley.domain.transcript.MessageId;
import dev.parley.domain.transcript.StoredMessage;
import dev.parley.domain.turn.Hold;
import dev.parley.domain.turn.Inbound;
import dev.parley.domain.turn.InboundId;
import dev.parley.domain.turn.PlatformMessage;
import dev.parley.domain.turn.RunId;
import dev.parley.domain.turn.Turn;
import dev.parley.domain.turn.TurnId;
import dev.parley.domain.usage.UsageSlot;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * What a batch will do, found out before it is written to the journal: whether its preconditions hold, whether each change is sound
 * after those before it, which files it appends to, how many messages it stores, and what it has in common with other batches.
 */
final class Plan implements Change.Visitor, Precondition.Facts<RuntimeException> {
    /** The number of a message that wants none of its own. */
    static final long NO_NUMBER = 0;

    private final Store store;
    private final Batch batch;
    private final Map<SessionId, Planned> planned = new HashMap<>();
    private final Map<String, Optional<SessionId>> titles = new HashMap<>();
    private final Set<Object> footprint = new HashSet<>();
    private final Map<SessionId, Session> created = new LinkedHashMap<>();
    private final Set<SessionId> appended = new HashSet<>();
    private final List<Integer> known = new ArrayList<>();
    private final Map<UsageSlot.Key, UsageSlot> used = new LinkedHashMap<>();
    private final Map<TurnId, Turn> turns = new HashMap<>();
    private int considered;
    private long stored;
    /** The least number that may follow the messages of the batch, whatever was there before. */
    private long least;

    /** Two things that batches can have in common beside sessions, turns, messages and lanes. */
    private record Title(String text) {}

    /** That a lane points at a session. */
    private record Current(SessionId session) {}

    /** A session as the batch leaves it so far. */
    private static final class Planned {
        private boolean there;
        private Optional<Session> session = Optional.empty();
        private Optional<String> title = Optional.empty();
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
            if (!each.holds(this)) {
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

    /** Returns what the batch adds to slots of usage, beside those it sets. */
    List<UsageSlot> used() {
        return List.copyOf(used.values());
    }

    /** Returns the number that follows the messages of the batch, where {@code next} is the one that follows those before. */
    long sequenceAfter(long next) {
        return Math.max(next + stored, least);
    }

    /** Returns which number an imported message is to keep where it can. */
    static long wanted(StoredMessage message) {
        return message.sequence() <= StoredMessage.HIGHEST_KEPT ? message.sequence() : NO_NUMBER;
    }

    private void count(long wanted) {
        stored++;
        least = Math.max(least, wanted) + 1;
    }

    @Override
    public long epoch(SessionKey lane) {
        footprint.add(lane);
        return store.tables().lane(lane).map(Lane::epoch).orElse(Lane.ABSENT);
    }

    @Override
    public boolean isClaimed(TurnId turn, RunId run) {
        footprint.add(turn);
        return store.tables()
                .turn(turn)
                .filter(t -> t.state() == Turn.State.CLAIMED && t.run().equals(run))
                .isPresent();
    }

    @Override
    public boolean isReceived(PlatformMessage message) {
        footprint.add(message);
        return store.tables().received(message).isPresent();
    }

    @Override
    public boolean isAdmitted(InboundId id) {
        footprint.add(id);
        return store.tables()
                .inbound(id)
                .filter(inbound -> inbound.state() == Inbound.State.ADMITTED)
                .isPresent();
    }

    @Override
    public boolean isTitleTaken(String title, SessionId by) {
        footprint.add(new Title(title));
        return ownerOf(title).filter(owner -> !owner.equals(by)).isPresent();
    }

    @Override
    public boolean exists(SessionId session) {
        return planned(session).there;
    }

    @Override
    public boolean isCurrent(SessionId session) {
        footprint.add(new Current(session));
        return store.tables().laneOf(session).isPresent();
    }

    @Override
    public Hold hold(SessionKey lane) {
        footprint.add(lane);
        return store.tables().hold(lane);
    }

    @Override
    public long lastOrdinal(SessionKey lane) {
        footprint.add(lane);
        return store.tables().lastOrdinal(lane);
    }

    private Planned planned(SessionId id) {
        footprint.add(id);
        return planned.computeIfAbsent(id, each -> {
            Planned fresh = new Planned();
            store.stored(id).ifPresent(there -> {
                fresh.there = true;
                fresh.session = Optional.of(there.session);
                fresh.title = there.session.title();
                fresh.before = Optional.of(there);
            });
            return fresh;
        });
    }

    private Optional<SessionId> ownerOf(String title) {
        return titles.getOrDefault(title, store.titled(title));
    }

    private void retitle(SessionId id, Planned session, Optional<String> title) {
        title.ifPresent(text -> footprint.add(new Title(text)));
        session.title.ifPresent(before -> titles.put(before, Optional.empty()));
        title.ifPresent(text -> titles.put(text, Optional.of(id)));
        session.title = title;
    }

    private static void refuse(Optional<String> why) {
        why.ifPresent(text -> {
            throw new InvalidRequest(text);
        });
    }

    @Override
    public void createSession(Change.CreateSession change) {
        Session session = change.session();
        Planned now = planned(session.id());
        if (now.there) {
            return;
        }
        refuse(Refusals.ofNew(session, this));
        retitle(session.id(), now, session.title());
        now.there = true;
        now.session = Optional.of(session);
        now.before = Optional.empty();
        created.putIfAbsent(session.id(), session);
    }

    @Override
    public void editSession(Change.EditSession change) {
        Planned now = planned(change.session());
        if (!now.there) {
            return;
        }
        refuse(Refusals.ofEdit(change.session(), change.edit(), this));
        now.session = now.session.map(change.edit()::applyTo);
        if (change.edit() instanceof SessionEdit.Retitle edit) {
            retitle(change.session(), now, edit.title());
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
        now.session = Optional.empty();
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
        refuse(Refusals.ofMessages(change.session(), this));
        change.messages().forEach(message -> add(change.session(), message));
    }

    private void add(SessionId id, Message message) {
        Planned now = toBeAppended(id);
        if (isNew(now, message.id())) {
            now.added.add(message.id());
            count(NO_NUMBER);
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
        refuse(Refusals.ofMessages(change.session(), this));
        Planned now = withTranscript(change.session());
        now.replaced = true;
        now.added.retainAll(now.hidden);
        change.messages().forEach(message -> add(change.session(), message));
    }

    @Override
    public void importMessages(Change.ImportMessages change) {
        for (StoredMessage message : change.messages()) {
            refuse(Refusals.ofMessages(message.session(), this));
            Planned now = toBeAppended(message.session());
            if (isNew(now, message.message().id())) {
                now.added.add(message.message().id());
                if (!message.isActive()) {
                    now.hidden.add(message.message().id());
                }
                count(wanted(message));
            }
        }
    }

    @Override
    public void addUsage(Change.AddUsage change) {
        Planned now = planned(change.session());
        now.session
                .flatMap(session -> change.slot(session.source(), session.model()))
                .ifPresent(key -> use(UsageSlot.empty(key).plus(change.usage())));
        now.session = now.session.map(session -> session.used(change.usage()));
    }

    private void use(UsageSlot more) {
        used.merge(more.key(), more, UsageSlot::plus);
    }

    @Override
    public void putInbound(Change.PutInbound change) {
        footprint.add(change.inbound().id());
        footprint.add(change.inbound().lane());
        change.inbound().platformMessage().ifPresent(footprint::add);
    }

    @Override
    public void putTurn(Change.PutTurn change) {
        Turn turn = change.turn();
        footprint.add(turn.id());
        Planned now = planned(turn.session());
        if (change.ends(Optional.ofNullable(turns.get(turn.id()))
                .or(() -> store.tables().turn(turn.id())))) {
            now.session
                    .flatMap(session -> change.slot(session.source(), session.model()))
                    .ifPresent(key -> use(UsageSlot.empty(key).plusTurn()));
        }
        turns.put(turn.id(), turn);
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
        // The last one stored counts.
    }

    @Override
    public void forget(Change.Forget change) {
        // What is forgotten has ended; no batch asks for it.
    }

    @Override
    public void putCursor(Change.PutCursor change) {
        // The last one stored counts.
    }

    @Override
    public void putUsage(Change.PutUsage change) {
        used.remove(change.slot().key());
    }

    @Override
    public void takeLane(Change.TakeLane change) {
        footprint.add(change.lane());
    }

    @Override
    public void leaveLane(Change.LeaveLane change) {
        footprint.add(change.lane());
    }

    @Override
    public void postInbound(Change.PostInbound change) {
        putInbound(new Change.PutInbound(change.inbound()));
    }
}
