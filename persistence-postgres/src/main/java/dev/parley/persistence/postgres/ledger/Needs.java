package dev.parley.persistence.postgres.ledger;

import dev.parley.domain.change.Batch;
import dev.parley.domain.change.Change;
import dev.parley.domain.change.Precondition;
import dev.parley.domain.change.SessionEdit;
import dev.parley.domain.key.SessionKey;
import dev.parley.domain.session.SessionId;
import dev.parley.domain.text.Unicode;
import dev.parley.domain.transcript.Message;
import dev.parley.domain.transcript.MessageId;
import dev.parley.domain.transcript.StoredMessage;
import dev.parley.domain.turn.Inbound;
import dev.parley.domain.turn.PlatformMessage;
import dev.parley.domain.turn.TurnId;
import dev.parley.persistence.postgres.row.MessageRow;
import java.util.IdentityHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * What a batch stands on, so that it can be locked and read before anything is decided; and its messages, encoded before the
 * transaction begins.
 */
final class Needs implements Change.Visitor {
    /** A batch of more messages takes as long as it takes. */
    private static final int MANY = 200;

    /** Lanes that are locked. */
    final Set<String> lanes = new TreeSet<>();
    /** Lanes of which the stored entry is needed. */
    final Set<String> entries = new LinkedHashSet<>();
    /** Sessions that nobody else may point at meanwhile. */
    final Set<String> owned = new TreeSet<>();
    /** Sessions that are changed. */
    final Set<String> changed = new TreeSet<>();
    /** Sessions that must not go away meanwhile. */
    final Set<String> kept = new TreeSet<>();
    /** Sessions of which source and model are needed. */
    final Set<String> sources = new TreeSet<>();
    /** Sessions of which it is asked whether a lane points at them. */
    final Set<String> current = new TreeSet<>();

    final Set<String> titles = new TreeSet<>();
    final Set<String> turns = new TreeSet<>();
    final Set<String> inbounds = new TreeSet<>();
    final Set<PlatformMessage> received = new LinkedHashSet<>();
    /** Ids of messages whose state is needed, by session. */
    final Map<String, Set<String>> uids = new TreeMap<>();

    private final IdentityHashMap<Change, List<MessageRow>> rows = new IdentityHashMap<>();
    private boolean patient;
    private int messages;

    private Needs() {}

    static Needs of(Batch batch) {
        Needs needs = new Needs();
        batch.preconditions().forEach(needs::precondition);
        batch.changes().forEach(change -> change.accept(needs));
        needs.changed.removeAll(needs.owned);
        needs.kept.removeAll(needs.owned);
        needs.kept.removeAll(needs.changed);
        return needs;
    }

    /** Returns whether the batch may take as long as it takes. */
    boolean isPatient() {
        return patient || messages > MANY;
    }

    /** Returns the messages of a change, encoded, in order. */
    List<MessageRow> rows(Change change) {
        return rows.getOrDefault(change, List.of());
    }

    static String key(SessionKey lane) {
        return Unicode.wellFormed(lane.value());
    }

    static String key(SessionId session) {
        return Unicode.wellFormed(session.value());
    }

    private void precondition(Precondition precondition) {
        if (precondition instanceof Precondition.LaneEpoch epoch) {
            lanes.add(key(epoch.lane()));
            entries.add(key(epoch.lane()));
        } else if (precondition instanceof Precondition.TurnClaimed claimed) {
            turns.add(key(claimed.turn()));
        } else if (precondition instanceof Precondition.NotReceived message) {
            received.add(message.message());
        } else if (precondition instanceof Precondition.StillAdmitted admitted) {
            inbounds.add(Unicode.wellFormed(admitted.inbound().value()));
        } else if (precondition instanceof Precondition.TitleFree title) {
            titles.add(Unicode.wellFormed(title.title()));
        } else if (precondition instanceof Precondition.SessionExists session) {
            kept.add(key(session.session()));
        } else if (precondition instanceof Precondition.SessionAbsent session) {
            kept.add(key(session.session()));
        } else if (precondition instanceof Precondition.NotCurrent session) {
            owned.add(key(session.session()));
            current.add(key(session.session()));
        } else if (precondition instanceof Precondition.HeldBy held) {
            lanes.add(key(held.lane()));
        } else if (precondition instanceof Precondition.HoldFree free) {
            lanes.add(key(free.lane()));
        } else if (precondition instanceof Precondition.LastOrdinal last) {
            lanes.add(key(last.lane()));
        }
    }

    static String key(TurnId turn) {
        return Unicode.wellFormed(turn.value());
    }

    private void uid(SessionId session, MessageId uid) {
        uids.computeIfAbsent(key(session), id -> new TreeSet<>()).add(Unicode.wellFormed(uid.value()));
    }

    private void messages(Change change, SessionId session, List<Message> all, List<MessageRow> encoded) {
        changed.add(key(session));
        all.forEach(message -> uid(session, message.id()));
        messages += all.size();
        rows.put(change, encoded);
    }

    @Override
    public void createSession(Change.CreateSession change) {
        changed.add(key(change.session().id()));
        change.session().parent().ifPresent(parent -> kept.add(key(parent)));
        change.session().title().ifPresent(title -> titles.add(Unicode.wellFormed(title)));
    }

    @Override
    public void editSession(Change.EditSession change) {
        changed.add(key(change.session()));
        if (change.edit() instanceof SessionEdit.Retitle retitle) {
            retitle.title().ifPresent(title -> titles.add(Unicode.wellFormed(title)));
        } else if (change.edit() instanceof SessionEdit.Model) {
            sources.add(key(change.session()));
        } else if (change.edit() instanceof SessionEdit.Parent parent) {
            parent.parent().ifPresent(id -> kept.add(key(id)));
        }
    }

    @Override
    public void deleteSession(Change.DeleteSession change) {
        owned.add(key(change.session()));
        patient = true;
    }

    @Override
    public void putLane(Change.PutLane change) {
        lanes.add(key(change.lane().key()));
        kept.add(key(change.lane().entry().sessionId()));
    }

    @Override
    public void touchLane(Change.TouchLane change) {
        lanes.add(key(change.lane()));
        entries.add(key(change.lane()));
    }

    @Override
    public void removeLane(Change.RemoveLane change) {
        lanes.add(key(change.lane()));
    }

    @Override
    public void appendMessages(Change.AppendMessages change) {
        messages(
                change,
                change.session(),
                change.messages(),
                change.messages().stream().map(MessageRow::of).toList());
    }

    @Override
    public void hideMessages(Change.HideMessages change) {
        changed.add(key(change.session()));
        change.messages().forEach(uid -> uid(change.session(), uid));
    }

    @Override
    public void replaceMessages(Change.ReplaceMessages change) {
        messages(
                change,
                change.session(),
                change.messages(),
                change.messages().stream().map(MessageRow::replacing).toList());
    }

    @Override
    public void importMessages(Change.ImportMessages change) {
        for (StoredMessage each : change.messages()) {
            changed.add(key(each.session()));
            uid(each.session(), each.message().id());
        }
        messages += change.messages().size();
        rows.put(
                change,
                change.messages().stream()
                        .map(each -> MessageRow.unchanged(each.message()))
                        .toList());
    }

    @Override
    public void addUsage(Change.AddUsage change) {
        changed.add(key(change.session()));
        sources.add(key(change.session()));
    }

    @Override
    public void putInbound(Change.PutInbound change) {
        inbound(change.inbound());
    }

    private void inbound(Inbound inbound) {
        lanes.add(key(inbound.lane()));
    }

    @Override
    public void putTurn(Change.PutTurn change) {
        lanes.add(key(change.turn().lane()));
        if (change.turn().endedAt().isPresent()) {
            turns.add(key(change.turn().id()));
            sources.add(key(change.turn().session()));
        }
    }

    @Override
    public void putOutgoing(Change.PutOutgoing change) {
        change.outgoing().lane().ifPresent(lane -> lanes.add(key(lane)));
    }

    @Override
    public void appendHistory(Change.AppendHistory change) {
        lanes.add(key(change.event().lane()));
    }

    @Override
    public void putMeta(Change.PutMeta change) {
        // Stands on nothing.
    }

    @Override
    public void forget(Change.Forget change) {
        patient = true;
    }

    @Override
    public void putCursor(Change.PutCursor change) {
        // Stands on nothing.
    }

    @Override
    public void putUsage(Change.PutUsage change) {
        // Stands on nothing.
    }

    @Override
    public void takeLane(Change.TakeLane change) {
        lanes.add(key(change.lane()));
    }

    @Override
    public void leaveLane(Change.LeaveLane change) {
        lanes.add(key(change.lane()));
    }

    @Override
    public void postInbound(Change.PostInbound change) {
        inbound(change.inbound());
    }
}
