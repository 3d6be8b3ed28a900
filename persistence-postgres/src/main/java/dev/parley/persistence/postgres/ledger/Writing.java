package dev.parley.persistence.postgres.ledger;

import dev.parley.application.port.InvalidRequest;
import dev.parley.domain.change.Change;
import dev.parley.domain.change.MessageCounts;
import dev.parley.domain.change.Refusals;
import dev.parley.domain.change.SessionEdit;
import dev.parley.domain.session.Ending;
import dev.parley.domain.session.Lane;
import dev.parley.domain.session.Session;
import dev.parley.domain.session.SessionId;
import dev.parley.domain.session.SessionPeer;
import dev.parley.domain.text.Unicode;
import dev.parley.domain.transcript.Message;
import dev.parley.domain.transcript.MessageId;
import dev.parley.domain.transcript.StoredMessage;
import dev.parley.domain.turn.Hold;
import dev.parley.domain.turn.Inbound;
import dev.parley.domain.turn.LifeId;
import dev.parley.domain.turn.Turn;
import dev.parley.domain.usage.UsageSlot;
import dev.parley.persistence.postgres.row.MessageRow;
import dev.parley.persistence.postgres.row.SessionRow;
import dev.parley.persistence.postgres.row.UseRow;
import dev.parley.persistence.postgres.statement.Script;
import dev.parley.persistence.postgres.table.SessionTables.Sessions;
import dev.parley.persistence.sql.json.RawJsonText;
import dev.parley.persistence.sql.json.SourceText;
import dev.parley.persistence.sql.row.HistoryRow;
import dev.parley.persistence.sql.row.InboundRow;
import dev.parley.persistence.sql.row.LaneRow;
import dev.parley.persistence.sql.row.OutgoingRow;
import dev.parley.persistence.sql.row.TurnRow;
import dev.parley.persistence.sql.row.UsageRow;
import dev.parley.persistence.sql.statement.Renderer;
import dev.parley.persistence.sql.statement.Time;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Applies changes to what is known, by the rules of the domain, and gathers the statements that store it. What many changes touch (a
 * lane, its hold, the counters of a session) is stored once, as the last of them leaves it.
 */
final class Writing implements Change.Visitor {
    /** A script with more values than this is sent, and another begun. */
    private static final int FULL = 1_000;

    private final WriteStatements sql;
    private final Needs needs;
    private final Known known;
    private final List<Script> scripts = new ArrayList<>(List.of(new Script()));
    private final Set<String> touchedHolds = new TreeSet<>();
    private final Set<String> touchedLanes = new LinkedHashSet<>();
    private final Set<String> touchedSessions = new TreeSet<>();
    /** Sessions whose latest activity only the messages tell. */
    private final Set<String> renewed = new TreeSet<>();

    Writing(Renderer renderer, Needs needs, Known known) {
        this.sql = new WriteStatements(renderer);
        this.needs = needs;
        this.known = known;
    }

    /** Returns the scripts that store everything; the last one makes it durable. */
    List<Script> scripts() {
        for (String lane : touchedHolds) {
            Known.Held held = known.held(lane);
            add(
                    sql.putHold(),
                    held.last(),
                    held.hold().holder().map(LifeId::value).orElse(null),
                    held.hold().token(),
                    lane);
        }
        for (String lane : touchedLanes) {
            Lane stored = known.lanes.get(lane);
            if (stored == null) {
                add(sql.removeLane(), lane);
            } else {
                add(sql.putLane(), LaneRow.values(stored));
            }
        }
        for (String session : touchedSessions) {
            UseRow use = known.sessions.get(session);
            if (use != null) {
                @Nullable Object[] row = use.values();
                @Nullable Object[] keyLast = new @Nullable Object[row.length];
                System.arraycopy(row, 1, keyLast, 0, row.length - 1);
                keyLast[row.length - 1] = row[0];
                add(sql.putUse(), keyLast);
                if (renewed.contains(session)) {
                    add(sql.renewUse(), session);
                }
            }
        }
        add("commit");
        return scripts;
    }

    private void add(String text, @Nullable Object... values) {
        Script last = scripts.get(scripts.size() - 1);
        if (last.size() > FULL) {
            last = new Script();
            scripts.add(last);
        }
        last.add(text, values);
    }

    private static void refuse(Optional<String> why) {
        why.ifPresent(text -> {
            throw new InvalidRequest(text);
        });
    }

    @Override
    public void createSession(Change.CreateSession change) {
        Session session = change.session();
        if (known.exists(session.id())) {
            return;
        }
        refuse(Refusals.ofNew(session, known));
        String id = Needs.key(session.id());
        UseRow use = UseRow.of(session);
        known.sessions.put(id, use);
        known.sources.put(id, new Known.Source(session.source(), session.model()));
        session.title().ifPresent(title -> known.titles.put(Unicode.wellFormed(title), id));
        add(sql.insertSession(), SessionRow.values(session));
        add(sql.insertUse(), use.values());
    }

    @Override
    public void editSession(Change.EditSession change) {
        SessionId session = change.session();
        if (!known.exists(session)) {
            return;
        }
        refuse(Refusals.ofEdit(session, change.edit(), known));
        String id = Needs.key(session);
        if (change.edit() instanceof SessionEdit.End end) {
            Ending ending = end.ending();
            add(sql.endSession(), Time.nanos(ending.at()), ending.reason().orElse(null), id);
        } else if (change.edit() instanceof SessionEdit.Reopen) {
            add(sql.reopenSession(), id);
        } else if (change.edit() instanceof SessionEdit.Retitle retitle) {
            known.titles.values().remove(id);
            retitle.title().ifPresent(title -> known.titles.put(Unicode.wellFormed(title), id));
            add(sql.set(Sessions.TITLE), retitle.title().orElse(null), id);
        } else if (change.edit() instanceof SessionEdit.SystemPrompt prompt) {
            add(sql.set(Sessions.SYSTEM_PROMPT), prompt.text(), id);
        } else if (change.edit() instanceof SessionEdit.Model model) {
            known.sources.computeIfPresent(
                    id, (key, source) -> new Known.Source(source.name(), Optional.of(model.model())));
            add(sql.set(Sessions.MODEL), model.model(), id);
            if (model.config().isPresent()) {
                add(sql.set(Sessions.MODEL_CONFIG), RawJsonText.writeUnchanged(model.config()), id);
            }
        } else if (change.edit() instanceof SessionEdit.Parent parent) {
            add(sql.set(Sessions.PARENT), parent.parent().map(SessionId::value).orElse(null), id);
        } else if (change.edit() instanceof SessionEdit.Peer edit) {
            SessionPeer peer = edit.peer();
            add(
                    sql.setPeer(),
                    peer.key().value(),
                    peer.origin().map(SourceText::write).orElse(null),
                    id);
        } else if (change.edit() instanceof SessionEdit.Counts counts) {
            update(session, use -> use.counts(counts.messages(), counts.toolCalls()));
        }
    }

    @Override
    public void deleteSession(Change.DeleteSession change) {
        String id = Needs.key(change.session());
        if (known.sessions.remove(id) == null) {
            return;
        }
        known.sources.remove(id);
        known.titles.values().remove(id);
        known.messages.remove(id);
        add(sql.orphan(), id);
        add(sql.deleteMessages(), id);
        add(sql.deleteUse(), id);
        add(sql.deleteSession(), id);
    }

    @Override
    public void putLane(Change.PutLane change) {
        String key = Needs.key(change.lane().key());
        known.lanes.put(key, change.lane());
        touchedLanes.add(key);
    }

    @Override
    public void touchLane(Change.TouchLane change) {
        String key = Needs.key(change.lane());
        Lane lane = known.lanes.get(key);
        if (lane != null && lane.entry().sessionId().equals(change.session())) {
            known.lanes.put(key, new Lane(change.applyTo(lane.entry()), lane.epoch()));
            touchedLanes.add(key);
        }
    }

    @Override
    public void removeLane(Change.RemoveLane change) {
        String key = Needs.key(change.lane());
        known.lanes.remove(key);
        touchedLanes.add(key);
    }

    @Override
    public void appendMessages(Change.AppendMessages change) {
        refuse(Refusals.ofMessages(change.session(), known));
        MessageCounts stored = store(change, change.session(), change.messages());
        if (stored.messages() > 0) {
            update(change.session(), use -> use.plus(stored));
        }
    }

    @Override
    public void hideMessages(Change.HideMessages change) {
        if (!known.exists(change.session())) {
            return;
        }
        String id = Needs.key(change.session());
        Map<String, StoredMessage.State> states = known.messagesOf(id);
        Set<String> hidden = new LinkedHashSet<>();
        for (MessageId each : change.messages()) {
            String uid = Unicode.wellFormed(each.value());
            if (states.replace(uid, StoredMessage.State.ACTIVE, change.as())) {
                hidden.add(uid);
            }
        }
        if (!hidden.isEmpty()) {
            add(sql.hideMessages(), MessageRow.state(change.as()), id, hidden);
        }
        if (change.as() == StoredMessage.State.REWOUND) {
            update(change.session(), UseRow::rewound);
            renewed.add(id);
        }
    }

    @Override
    public void replaceMessages(Change.ReplaceMessages change) {
        if (change.messages().isEmpty() && !known.exists(change.session())) {
            return;
        }
        refuse(Refusals.ofMessages(change.session(), known));
        String id = Needs.key(change.session());
        add(sql.deleteActive(), id);
        known.messagesOf(id).values().removeIf(StoredMessage.State.ACTIVE::equals);
        MessageCounts stored = store(change, change.session(), change.messages());
        update(change.session(), use -> use.counts(stored.messages(), stored.toolCalls()));
        renewed.add(id);
    }

    @Override
    public void importMessages(Change.ImportMessages change) {
        List<MessageRow> rows = needs.rows(change);
        for (int i = 0; i < rows.size(); i++) {
            StoredMessage message = change.messages().get(i);
            refuse(Refusals.ofMessages(message.session(), known));
            store(message.session(), rows.get(i), message.state());
        }
    }

    private MessageCounts store(Change change, SessionId session, List<Message> messages) {
        List<MessageRow> rows = needs.rows(change);
        List<Message> stored = new ArrayList<>();
        for (int i = 0; i < rows.size(); i++) {
            if (store(session, rows.get(i), StoredMessage.State.ACTIVE)) {
                stored.add(messages.get(i));
            }
        }
        return MessageCounts.of(stored);
    }

    /** Returns false where the session has a message with this id. */
    private boolean store(SessionId session, MessageRow row, StoredMessage.State state) {
        String id = Needs.key(session);
        if (known.messagesOf(id).putIfAbsent(Unicode.wellFormed(row.uid()), state) != null) {
            return false;
        }
        add(sql.insertMessage(), row.values(id, state));
        if (state != StoredMessage.State.REWOUND) {
            update(session, use -> use.said(row.at()));
        }
        return true;
    }

    private void update(SessionId session, UnaryOperator<UseRow> next) {
        String id = Needs.key(session);
        known.sessions.computeIfPresent(id, (key, use) -> next.apply(use));
        touchedSessions.add(id);
    }

    @Override
    public void addUsage(Change.AddUsage change) {
        String id = Needs.key(change.session());
        Known.Source source = known.sources.get(id);
        if (source == null || !known.exists(change.session())) {
            return;
        }
        change.slot(source.name(), source.model())
                .ifPresent(key -> use(UsageSlot.empty(key).plus(change.usage())));
        update(change.session(), use -> use.used(change.usage()));
        if (source.model().isEmpty() && change.usage().model().isPresent()) {
            known.sources.put(id, new Known.Source(source.name(), change.usage().model()));
            add(sql.set(Sessions.MODEL), change.usage().model().get(), id);
        }
    }

    private void use(UsageSlot more) {
        add(sql.addUsage(), UsageRow.values(more));
    }

    @Override
    public void putInbound(Change.PutInbound change) {
        Inbound inbound = change.inbound();
        String lane = Needs.key(inbound.lane());
        Known.Held held = known.held(lane);
        if (inbound.ordinal() > held.last()) {
            hold(lane, held.hold(), inbound.ordinal());
        }
        add(sql.putInbound(), InboundRow.values(inbound));
    }

    @Override
    public void postInbound(Change.PostInbound change) {
        long next = known.lastOrdinal(change.inbound().lane()) + 1;
        putInbound(new Change.PutInbound(change.inbound().at(next)));
    }

    private void hold(String lane, Hold hold, long last) {
        known.holds.put(lane, new Known.Held(hold, last));
        touchedHolds.add(lane);
    }

    @Override
    public void takeLane(Change.TakeLane change) {
        String lane = Needs.key(change.lane());
        Known.Held held = known.held(lane);
        hold(lane, held.hold().takenBy(change.holder()), held.last());
    }

    @Override
    public void leaveLane(Change.LeaveLane change) {
        String lane = Needs.key(change.lane());
        Known.Held held = known.held(lane);
        if (held.hold().holder().isPresent()) {
            hold(lane, held.hold().left(), held.last());
        }
    }

    @Override
    public void putTurn(Change.PutTurn change) {
        Turn turn = change.turn();
        String id = Needs.key(turn.id());
        Known.Source source = known.sources.get(Needs.key(turn.session()));
        if (turn.endedAt().isPresent() && known.claimed.containsKey(id) && source != null) {
            change.slot(source.name(), source.model())
                    .ifPresent(key -> use(UsageSlot.empty(key).plusTurn()));
        }
        if (turn.state() == Turn.State.CLAIMED) {
            known.claimed.put(id, Unicode.wellFormed(turn.run().value()));
        } else {
            known.claimed.remove(id);
        }
        add(sql.putTurn(), TurnRow.values(turn));
    }

    @Override
    public void putOutgoing(Change.PutOutgoing change) {
        add(sql.putOutgoing(), OutgoingRow.values(change.outgoing()));
    }

    @Override
    public void appendHistory(Change.AppendHistory change) {
        add(sql.appendHistory(), HistoryRow.values(change.event()));
    }

    @Override
    public void putMeta(Change.PutMeta change) {
        add(sql.putMeta(), change.key(), change.value());
    }

    @Override
    public void forget(Change.Forget change) {
        long ended = Time.nanos(change.endedBefore());
        sql.forget().forEach(text -> add(text, ended));
        if (change.historyBefore().isPresent()) {
            add(sql.forgetHistory(), Time.nanos(change.historyBefore().get()));
        }
    }

    @Override
    public void putCursor(Change.PutCursor change) {
        String platform = change.name().platform().name();
        if (change.value().isPresent()) {
            add(
                    sql.putCursor(),
                    platform,
                    change.name().account(),
                    change.name().name(),
                    change.value().get());
        } else {
            add(
                    sql.removeCursor(),
                    platform,
                    change.name().account(),
                    change.name().name());
        }
    }

    @Override
    public void putUsage(Change.PutUsage change) {
        add(sql.putUsage(), UsageRow.values(change.slot()));
    }
}
