package dev.parley.application.degrade;

import dev.parley.application.spi.Storage;
import dev.parley.domain.change.Batch;
import dev.parley.domain.change.Change;
import dev.parley.domain.change.LaneEvent;
import dev.parley.domain.change.SessionEdit;
import dev.parley.domain.key.SessionKey;
import dev.parley.domain.session.Ending;
import dev.parley.domain.session.Lane;
import dev.parley.domain.session.Session;
import dev.parley.domain.session.SessionId;
import dev.parley.domain.title.TitleLineage;
import dev.parley.domain.turn.Inbound;
import dev.parley.domain.turn.Outgoing;
import dev.parley.domain.turn.OutgoingId;
import dev.parley.domain.turn.Turn;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Makes of a batch that was committed while degraded what is committed to the primary store (commit rule 10): without preconditions,
 * with sessions that are missing there created first, lanes only where nobody else moved them, titles that are taken numbered,
 * and what ended there meanwhile left alone. The batch keeps its id, so that repeating it does nothing.
 */
final class HealingBatch implements Change.Visitor {
    private final Storage primary;
    private final Storage overlay;
    private final Map<SessionKey, Long> epochs;
    private final Map<OutgoingId, Outgoing> undelivered;
    private final Instant now;
    private final List<Change> changes = new ArrayList<>();
    private final Set<SessionId> ensured = new LinkedHashSet<>();
    private int messages;

    private HealingBatch(
            Storage primary,
            Storage overlay,
            Map<SessionKey, Long> epochs,
            Map<OutgoingId, Outgoing> undelivered,
            Instant now) {
        this.primary = primary;
        this.overlay = overlay;
        this.epochs = epochs;
        this.undelivered = undelivered;
        this.now = now;
    }

    /**
     * A batch for the primary store.
     *
     * @param batch the batch
     * @param messages how many messages it appends
     * @param epochs the epoch that each lane it stores has afterwards
     */
    record Healed(Batch batch, int messages, Map<SessionKey, Long> epochs) {
        Healed {
            epochs = Map.copyOf(epochs);
        }
    }

    /**
     * Returns what of a batch is committed to the primary store.
     *
     * @param epochs the epochs of lanes at the moment of degrading, or as healing has left them; a lane that is not among them
     *     was not known
     * @param undelivered the outgoing messages of the primary that are not delivered, as healing has left them
     */
    static Healed of(
            Batch batch,
            Storage primary,
            Storage overlay,
            Map<SessionKey, Long> epochs,
            Map<OutgoingId, Outgoing> undelivered,
            Instant now) {
        HealingBatch healing = new HealingBatch(primary, overlay, epochs, undelivered, now);
        batch.changes().forEach(change -> change.accept(healing));
        Map<SessionKey, Long> after = new java.util.TreeMap<>();
        for (Change change : healing.changes) {
            if (change instanceof Change.PutLane put) {
                after.put(put.lane().key(), put.lane().epoch());
            }
        }
        return new Healed(new Batch(batch.id(), List.of(), healing.changes), healing.messages, after);
    }

    /** Makes sure that a session is there before something is stored in it. */
    private void ensure(SessionId id) {
        if (ensured.add(id) && primary.sessions().find(id).isEmpty()) {
            overlay.sessions()
                    .find(id)
                    .ifPresent(session -> create(session.toBuilder()
                            .counts(0, 0)
                            .usage(dev.parley.domain.usage.TokenUsage.NONE, 0)
                            .build()));
        }
    }

    private void create(Session session) {
        ensured.add(session.id());
        Session.Builder made = session.toBuilder();
        session.title()
                .ifPresent(title -> made.title(primary.sessions().keepsTitles() ? free(title, session.id()) : null));
        session.parent()
                .filter(parent -> primary.sessions().find(parent).isEmpty() && !ensured.contains(parent))
                .ifPresent(parent -> made.parent(null));
        changes.add(new Change.CreateSession(made.build()));
    }

    private String free(String title, SessionId session) {
        Optional<Session> holder = primary.sessions().findByTitle(title);
        if (holder.isEmpty() || holder.get().id().equals(session)) {
            return title;
        }
        List<String> taken = primary.sessions().titledLike(TitleLineage.base(title)).stream()
                .flatMap(s -> s.title().stream())
                .toList();
        return TitleLineage.next(title, taken);
    }

    @Override
    public void createSession(Change.CreateSession change) {
        if (primary.sessions().find(change.session().id()).isEmpty()) {
            create(change.session());
        }
    }

    @Override
    public void editSession(Change.EditSession change) {
        ensure(change.session());
        if (change.edit() instanceof SessionEdit.Retitle retitle
                && retitle.title().isPresent()) {
            if (!primary.sessions().keepsTitles()) {
                return;
            }
            String title = free(retitle.title().get(), change.session());
            changes.add(new Change.EditSession(change.session(), new SessionEdit.Retitle(Optional.of(title))));
        } else {
            changes.add(change);
        }
    }

    @Override
    public void deleteSession(Change.DeleteSession change) {
        changes.add(change);
    }

    @Override
    public void putLane(Change.PutLane change) {
        Lane lane = change.lane();
        ensure(lane.entry().sessionId());
        Optional<Lane> there = primary.lanes().find(lane.key());
        long expected = epochs.getOrDefault(lane.key(), Lane.ABSENT);
        if (there.isEmpty() || there.get().epoch() == expected) {
            changes.add(change);
            return;
        }
        SessionId kept = there.get().entry().sessionId();
        if (!kept.equals(lane.entry().sessionId())) {
            changes.add(new Change.EditSession(
                    lane.entry().sessionId(), new SessionEdit.End(Ending.of(now, Ending.SESSION_SWITCH))));
            changes.add(new Change.AppendHistory(new LaneEvent(
                    lane.key(),
                    now,
                    LaneEvent.Kind.SWITCHED,
                    Optional.of(lane.entry().sessionId()),
                    Optional.of(kept),
                    "healed_beside",
                    Map.of(
                            "stored_epoch", Long.toString(there.get().epoch()),
                            "expected_epoch", Long.toString(expected)))));
        }
    }

    @Override
    public void touchLane(Change.TouchLane change) {
        changes.add(change);
    }

    @Override
    public void removeLane(Change.RemoveLane change) {
        Optional<Lane> there = primary.lanes().find(change.lane());
        if (there.isPresent() && there.get().epoch() == epochs.getOrDefault(change.lane(), Lane.ABSENT)) {
            changes.add(change);
        }
    }

    @Override
    public void appendMessages(Change.AppendMessages change) {
        ensure(change.session());
        messages += change.messages().size();
        changes.add(change);
    }

    @Override
    public void hideMessages(Change.HideMessages change) {
        ensure(change.session());
        changes.add(change);
    }

    @Override
    public void replaceMessages(Change.ReplaceMessages change) {
        ensure(change.session());
        messages += change.messages().size();
        changes.add(change);
    }

    @Override
    public void importMessages(Change.ImportMessages change) {
        change.messages().forEach(m -> ensure(m.session()));
        messages += change.messages().size();
        changes.add(change);
    }

    @Override
    public void addUsage(Change.AddUsage change) {
        ensure(change.session());
        changes.add(change);
    }

    @Override
    public void putInbound(Change.PutInbound change) {
        Optional<Inbound> there = primary.queue().inbound(change.inbound().id());
        boolean over = there.filter(i -> i.state() == Inbound.State.DONE || i.state() == Inbound.State.DROPPED)
                .isPresent();
        boolean receivedAsAnother = change.inbound()
                .platformMessage()
                .flatMap(primary.queue()::received)
                .filter(i -> !i.id().equals(change.inbound().id()))
                .isPresent();
        if (!over && !receivedAsAnother) {
            changes.add(change);
        }
    }

    @Override
    public void putTurn(Change.PutTurn change) {
        boolean over = primary.queue()
                .turn(change.turn().id())
                .filter(t -> t.state() != Turn.State.CLAIMED)
                .isPresent();
        if (!over) {
            changes.add(change);
        }
    }

    @Override
    public void putOutgoing(Change.PutOutgoing change) {
        boolean over = change.outgoing().state() == Outgoing.State.PENDING
                && Optional.ofNullable(undelivered.get(change.outgoing().id()))
                        .filter(there -> there.attempts() > 0)
                        .isPresent();
        if (!over) {
            changes.add(change);
        }
    }

    @Override
    public void appendHistory(Change.AppendHistory change) {
        changes.add(change);
    }

    @Override
    public void putMeta(Change.PutMeta change) {
        changes.add(change);
    }

    @Override
    public void forget(Change.Forget change) {
        changes.add(change);
    }

    @Override
    public void putCursor(Change.PutCursor change) {
        changes.add(change);
    }

    @Override
    public void putUsage(Change.PutUsage change) {
        changes.add(change);
    }

    @Override
    public void takeLane(Change.TakeLane change) {
        changes.add(change);
    }

    @Override
    public void leaveLane(Change.LeaveLane change) {
        changes.add(change);
    }

    @Override
    public void postInbound(Change.PostInbound change) {
        boolean there = primary.queue().inbound(change.inbound().id()).isPresent()
                || change.inbound()
                        .platformMessage()
                        .flatMap(primary.queue()::received)
                        .isPresent();
        if (!there) {
            changes.add(change);
        }
    }
}
