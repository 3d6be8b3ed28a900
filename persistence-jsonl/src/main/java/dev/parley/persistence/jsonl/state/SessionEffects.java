package dev.parley.persistence.jsonl.state;

import dev.parley.application.scan.Digest;
import dev.parley.domain.change.Change;
import dev.parley.domain.change.SessionEdit;
import dev.parley.domain.session.Session;
import dev.parley.domain.session.SessionId;
import dev.parley.domain.transcript.Message;
import dev.parley.domain.transcript.MessageId;
import dev.parley.domain.transcript.StoredMessage;
import dev.parley.domain.transcript.ToolCalls;
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

    abstract long takeSequence();

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
        Session session = stored.session;
        Session.Builder next = session.toBuilder();
        if (edit instanceof SessionEdit.End e) {
            next.ending(session.ending().orElse(e.ending()));
        } else if (edit instanceof SessionEdit.Reopen) {
            next.ending(null);
        } else if (edit instanceof SessionEdit.Retitle e) {
            next.title(e.title().orElse(null));
            stored.settled &= e.title().equals(session.title());
        } else if (edit instanceof SessionEdit.SystemPrompt e) {
            next.systemPrompt(e.text());
        } else if (edit instanceof SessionEdit.Model e) {
            next.model(e.model());
            e.config().ifPresent(next::modelConfig);
        } else if (edit instanceof SessionEdit.Parent e) {
            next.parent(e.parent().orElse(null));
        } else if (edit instanceof SessionEdit.Peer e) {
            next.peer(e.peer());
        } else if (edit instanceof SessionEdit.Counts e) {
            next.counts(e.messages(), e.toolCalls());
        } else {
            throw new IllegalStateException("This store does not know the edit " + edit + ".");
        }
        change(stored, next.build());
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
        Counts added = store(found, change.messages());
        found.ifPresent(stored -> {
            Session session = stored.session;
            change(
                    stored,
                    session.toBuilder()
                            .counts(session.messageCount() + added.messages, session.toolCallCount() + added.calls)
                            .build());
        });
    }

    private record Counts(long messages, long calls) {}

    private Counts store(Optional<StoredSession> found, List<Message> messages) {
        long count = 0;
        long calls = 0;
        for (Message message : messages) {
            if (store(found, message, StoredMessage.State.ACTIVE)) {
                count++;
                calls += message.toolCalls().map(ToolCalls::count).orElse(0);
            }
        }
        return new Counts(count, calls);
    }

    /**
     * Returns false where the session has a message with this id. A message takes its place in the order of all messages also where
     * its session is passed over, so that the others get the places they had.
     */
    private boolean store(Optional<StoredSession> found, Message message, StoredMessage.State state) {
        if (known.contains(considered++)) {
            return false;
        }
        long sequence = takeSequence();
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
                Session session = stored.session;
                change(
                        stored,
                        session.toBuilder()
                                .rewindCount(session.rewindCount() + 1)
                                .build());
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
        Counts all = store(found, change.messages());
        found.ifPresent(stored -> change(
                stored,
                stored.session.toBuilder().counts(all.messages, all.calls).build()));
    }

    @Override
    public void importMessages(Change.ImportMessages change) {
        for (StoredMessage message : change.messages()) {
            store(find(message.session()), message.message(), message.state());
        }
    }

    @Override
    public void addUsage(Change.AddUsage change) {
        find(change.session()).ifPresent(stored -> {
            Session session = stored.session;
            change(
                    stored,
                    session.toBuilder()
                            .usage(
                                    change.usage().applyTo(session.tokens()),
                                    change.usage().applyTo(session.apiCalls()))
                            .billing(change.usage().applyTo(session.billing()))
                            .model(session.model().or(change.usage()::model).orElse(null))
                            .build());
        });
    }

    @Override
    public void putInbound(Change.PutInbound change) {
        tables.put(change.inbound());
    }

    @Override
    public void putTurn(Change.PutTurn change) {
        Turn turn = change.turn();
        boolean ends = tables.turn(turn.id())
                        .filter(before -> before.state() == Turn.State.CLAIMED)
                        .isPresent()
                && turn.endedAt().isPresent();
        if (ends) {
            find(turn.session()).ifPresent(stored -> {
                Duration ran = Duration.between(turn.startedAt(), turn.endedAt().get());
                if (!ran.isNegative() && ran.compareTo(Duration.ofDays(365)) < 0) {
                    stored.uptimeNanos += ran.toNanos();
                    stored.settled = false;
                }
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
        tables.forget(change.endedBefore(), change.historyBefore());
    }
}
