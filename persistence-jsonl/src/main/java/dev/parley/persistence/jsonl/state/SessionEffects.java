package dev.parley.persistence.jsonl.state;

import dev.parley.application.scan.Digest;
import dev.parley.domain.change.Change;
import dev.parley.domain.change.MessageCounts;
import dev.parley.domain.change.SessionEdit;
import dev.parley.domain.session.Session;
import dev.parley.domain.session.SessionId;
import dev.parley.domain.transcript.Message;
import dev.parley.domain.transcript.MessageId;
import dev.parley.domain.transcript.StoredMessage;
import dev.parley.domain.turn.Hold;
import dev.parley.domain.turn.Inbound;
import dev.parley.domain.turn.Turn;
import dev.parley.persistence.jsonl.file.SessionLine;
import java.io.ByteArrayOutputStream;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** What each change does. Changes were found sound before, so none is refused here. */
abstract class SessionEffects implements Change.Visitor {
    private final Tables tables;
    private final Set<Integer> known;
    private int considered;

    /** Makes what a batch does; {@code known} are the messages of the batch, by their place in it, that are stored already. */
    SessionEffects(Tables tables, Set<Integer> known) {
        this.tables = tables;
        this.known = known;
    }

    abstract Optional<StoredSession> find(SessionId id);

    abstract boolean mayCreate(SessionId id);

    abstract void create(Session session);

    abstract void change(StoredSession stored, Session next);

    abstract void delete(StoredSession stored);

    /** Returns the number of the next message: {@code wanted} where it is above every one there was, else the one behind the last. */
    abstract long takeSequence(long wanted);

    abstract Transcript transcriptOf(StoredSession stored);

    abstract void add(StoredSession stored, StoredMessage row);

    abstract ByteArrayOutputStream out(StoredSession stored);

    abstract void write(StoredSession stored, SessionLine.Hidden hidden);

    @Override
    public void createSession(Change.CreateSession change) {
        if (mayCreate(change.session().id())) {
            create(change.session());
        }
    }

    @Override
    public void editSession(Change.EditSession change) {
        find(change.session()).ifPresent(stored -> edit(stored, change.edit()));
    }

    private void edit(StoredSession stored, SessionEdit edit) {
        if (edit instanceof SessionEdit.Retitle retitle) {
            stored.settled &= retitle.title().equals(stored.session.title());
        }
        change(stored, edit.applyTo(stored.session));
    }

    @Override
    public void deleteSession(Change.DeleteSession change) {
        find(change.session()).ifPresent(this::delete);
    }

    @Override
    public void putLane(Change.PutLane change) {
        tables.put(change.lane());
    }

    @Override
    public void touchLane(Change.TouchLane change) {
        tables.touch(change);
    }

    @Override
    public void removeLane(Change.RemoveLane change) {
        tables.remove(change.lane());
    }

    @Override
    public void appendMessages(Change.AppendMessages change) {
        Optional<StoredSession> found = find(change.session());
        MessageCounts added = store(found, change.messages());
        found.ifPresent(stored -> change(stored, added.addedTo(stored.session)));
    }

    private MessageCounts store(Optional<StoredSession> found, List<Message> messages) {
        return MessageCounts.of(messages.stream()
                .filter(message -> store(found, message, StoredMessage.State.ACTIVE, Plan.NO_NUMBER))
                .toList());
    }

    /**
     * Returns false where the session has a message with this id. A message takes its place in the order of all messages also where
     * its session is passed over, so that the others get the places they had.
     */
    private boolean store(Optional<StoredSession> found, Message message, StoredMessage.State state, long wanted) {
        if (known.contains(considered++)) {
            return false;
        }
        long sequence = takeSequence(wanted);
        found.ifPresent(stored -> {
            StoredMessage row = new StoredMessage(sequence, stored.id(), message, state);
            add(stored, row);
            stored.digest = stored.digest.plus(row);
            out(stored).writeBytes(SessionLine.of(row));
        });
        return true;
    }

    @Override
    public void hideMessages(Change.HideMessages change) {
        find(change.session()).ifPresent(stored -> {
            Transcript transcript = transcriptOf(stored);
            List<MessageId> hidden = transcript.hide(change.messages(), change.as());
            if (!hidden.isEmpty()) {
                write(stored, new SessionLine.Hidden(hidden, change.as()));
                stored.digest = Digest.of(transcript.rows());
            }
            if (change.as() == StoredMessage.State.REWOUND) {
                stored.settled &= hidden.isEmpty();
                change(stored, stored.session.rewound());
            }
        });
    }

    @Override
    public void replaceMessages(Change.ReplaceMessages change) {
        Optional<StoredSession> found = find(change.session());
        found.ifPresent(stored -> {
            Transcript transcript = transcriptOf(stored);
            transcript.removeActive();
            stored.digest = Digest.of(transcript.rows());
            stored.settled = false;
            out(stored).writeBytes(SessionLine.of(new SessionLine.Replaced()));
        });
        MessageCounts all = store(found, change.messages());
        found.ifPresent(stored -> change(stored, all.setOn(stored.session)));
    }

    @Override
    public void importMessages(Change.ImportMessages change) {
        for (StoredMessage message : change.messages()) {
            store(find(message.session()), message.message(), message.state(), Plan.wanted(message));
        }
    }

    @Override
    public void addUsage(Change.AddUsage change) {
        find(change.session()).ifPresent(stored -> change(stored, stored.session.used(change.usage())));
    }

    @Override
    public void putInbound(Change.PutInbound change) {
        tables.put(change.inbound());
    }

    @Override
    public void putTurn(Change.PutTurn change) {
        Turn turn = change.turn();
        if (change.ends(tables.turn(turn.id()))) {
            find(turn.session()).ifPresent(stored -> {
                turn.took()
                        .filter(ran -> !ran.isNegative() && ran.compareTo(Duration.ofDays(365)) < 0)
                        .ifPresent(ran -> {
                            stored.uptimeNanos += ran.toNanos();
                            stored.settled = false;
                        });
            });
        }
        tables.put(turn);
    }

    @Override
    public void putOutgoing(Change.PutOutgoing change) {
        tables.put(change.outgoing());
    }

    @Override
    public void appendHistory(Change.AppendHistory change) {
        tables.append(change.event());
    }

    @Override
    public void putMeta(Change.PutMeta change) {
        tables.put(change.key(), change.value());
    }

    @Override
    public void forget(Change.Forget change) {
        tables.forget(change);
    }

    @Override
    public void putCursor(Change.PutCursor change) {
        tables.put(change);
    }

    /** What other changes add to slots stands in the journal. */
    @Override
    public void putUsage(Change.PutUsage change) {
        tables.put(change.slot());
    }

    @Override
    public void takeLane(Change.TakeLane change) {
        tables.put(change.lane(), tables.hold(change.lane()).takenBy(change.holder()));
    }

    @Override
    public void leaveLane(Change.LeaveLane change) {
        if (!tables.hold(change.lane()).equals(Hold.NONE)) {
            tables.put(change.lane(), tables.hold(change.lane()).left());
        }
    }

    @Override
    public void postInbound(Change.PostInbound change) {
        Inbound posted = change.inbound();
        tables.put(posted.at(tables.lastOrdinal(posted.lane()) + 1));
    }
}
