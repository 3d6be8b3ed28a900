package dev.parley.persistence.sqlite.ledger;

import dev.parley.domain.change.Change;
import dev.parley.domain.session.Session;
import dev.parley.domain.session.SessionPeer;
import dev.parley.domain.session.Standing;
import dev.parley.domain.text.Unicode;
import dev.parley.domain.transcript.MessageId;
import dev.parley.domain.transcript.StoredMessage;
import dev.parley.domain.turn.Hold;
import dev.parley.persistence.sql.json.SourceText;
import dev.parley.persistence.sql.row.HistoryRow;
import dev.parley.persistence.sql.row.InboundRow;
import dev.parley.persistence.sql.row.LaneRow;
import dev.parley.persistence.sql.row.OutgoingRow;
import dev.parley.persistence.sql.row.TurnRow;
import dev.parley.persistence.sql.statement.Time;
import dev.parley.persistence.sqlite.row.MessageRow;
import dev.parley.persistence.sqlite.row.SessionRow;
import dev.parley.persistence.sqlite.statement.Seconds;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Turns changes into writes, on the thread that brings them: JSON is made before the transaction begins (storage 2). */
final class Encoding implements Change.Visitor {
    private final List<Write> writes = new ArrayList<>();
    private boolean touchesLanes;

    private Encoding() {}

    /** Encodes the changes, in order. */
    static Encoding of(List<Change> changes) {
        Encoding encoding = new Encoding();
        changes.forEach(change -> change.accept(encoding));
        return encoding;
    }

    List<Write> writes() {
        return writes;
    }

    /** Returns whether any change concerns a lane. */
    boolean touchesLanes() {
        return touchesLanes;
    }

    @Override
    public void createSession(Change.CreateSession change) {
        @Nullable Object[] row = SessionRow.values(change.session());
        Session session = change.session();
        double started = Seconds.write(change.session().startedAt());
        Optional<Peer> peer = change.session().peer().map(Peer::of);
        writes.add(w -> w.sessions().create(session, row, started, peer));
    }

    @Override
    public void editSession(Change.EditSession change) {
        SessionEdits edit = SessionEdits.of(change.edit());
        String id = change.session().value();
        writes.add(w -> edit.apply(w.sessions(), id));
    }

    @Override
    public void deleteSession(Change.DeleteSession change) {
        String id = change.session().value();
        writes.add(w -> w.sessions().delete(id));
    }

    @Override
    public void putLane(Change.PutLane change) {
        @Nullable Object[] row = LaneRow.values(change.lane());
        touchesLanes = true;
        writes.add(w -> w.lanes().put(row));
    }

    @Override
    public void touchLane(Change.TouchLane change) {
        LaneTouch touch = new LaneTouch(
                Unicode.wellFormed(change.lane().value()),
                change.session().value(),
                Time.nanos(change.at()),
                change.tokens(),
                change.costUsd(),
                change.lastPromptTokens(),
                change.clears()
                        .map(mark -> new LaneTouch.Mark(
                                LaneRow.reason(Optional.of(mark))
                                        .map(Unicode::wellFormed)
                                        .orElse(null),
                                Time.nanos(mark.markedAt()))));
        touchesLanes = true;
        writes.add(w -> w.lanes().touch(touch));
    }

    @Override
    public void removeLane(Change.RemoveLane change) {
        String key = Unicode.wellFormed(change.lane().value());
        touchesLanes = true;
        writes.add(w -> w.lanes().remove(key));
    }

    @Override
    public void appendMessages(Change.AppendMessages change) {
        List<MessageRow> rows = change.messages().stream().map(MessageRow::of).toList();
        String session = change.session().value();
        writes.add(w -> w.messages().append(session, rows));
    }

    @Override
    public void hideMessages(Change.HideMessages change) {
        List<String> uids = change.messages().stream().map(MessageId::value).toList();
        String session = change.session().value();
        boolean compacted = change.as() == StoredMessage.State.COMPACTED;
        writes.add(w -> w.messages().hide(session, uids, compacted));
    }

    @Override
    public void replaceMessages(Change.ReplaceMessages change) {
        List<MessageRow> rows =
                change.messages().stream().map(MessageRow::replacing).toList();
        String session = change.session().value();
        writes.add(w -> w.messages().replace(session, rows));
    }

    @Override
    public void importMessages(Change.ImportMessages change) {
        List<ImportedRow> rows = change.messages().stream().map(ImportedRow::of).toList();
        writes.add(w -> w.messages().importAll(rows));
    }

    @Override
    public void addUsage(Change.AddUsage change) {
        writes.add(w -> w.sessions().addUsage(change));
    }

    @Override
    public void putInbound(Change.PutInbound change) {
        @Nullable Object[] row = InboundRow.values(change.inbound());
        String lane = Unicode.wellFormed(change.inbound().lane().value());
        long ordinal = change.inbound().ordinal();
        writes.add(w -> w.queue().putInbound(row, lane, ordinal));
    }

    @Override
    public void putTurn(Change.PutTurn change) {
        @Nullable Object[] row = TurnRow.values(change.turn());
        writes.add(w -> w.queue().putTurn(row, change));
    }

    @Override
    public void putOutgoing(Change.PutOutgoing change) {
        @Nullable Object[] row = OutgoingRow.values(change.outgoing());
        writes.add(w -> w.queue().putOutgoing(row));
    }

    @Override
    public void appendHistory(Change.AppendHistory change) {
        @Nullable Object[] row = HistoryRow.values(change.event());
        writes.add(w -> w.lanes().appendHistory(row));
    }

    @Override
    public void putMeta(Change.PutMeta change) {
        String key = Unicode.wellFormed(change.key());
        String value = Unicode.wellFormed(change.value());
        writes.add(w -> w.putMeta(key, value));
    }

    @Override
    public void forget(Change.Forget change) {
        long ended = Time.nanos(change.endedBefore());
        Optional<Long> history = change.historyBefore().map(Time::nanos);
        writes.add(w -> w.forget(ended, history));
    }

    @Override
    public void putCursor(Change.PutCursor change) {
        String platform = Unicode.wellFormed(change.name().platform().name());
        String account = Unicode.wellFormed(change.name().account());
        String name = Unicode.wellFormed(change.name().name());
        Optional<String> value = change.value().map(Unicode::wellFormed);
        writes.add(w -> w.upkeep().putCursor(platform, account, name, value));
    }

    @Override
    public void putUsage(Change.PutUsage change) {
        writes.add(w -> w.upkeep().putUsage(change.slot()));
    }

    @Override
    public void takeLane(Change.TakeLane change) {
        String lane = Unicode.wellFormed(change.lane().value());
        writes.add(w -> w.upkeep().hold(lane, hold -> hold.takenBy(change.holder())));
    }

    @Override
    public void leaveLane(Change.LeaveLane change) {
        String lane = Unicode.wellFormed(change.lane().value());
        writes.add(w -> w.upkeep().hold(lane, Hold::left));
    }

    @Override
    public void postInbound(Change.PostInbound change) {
        String lane = Unicode.wellFormed(change.inbound().lane().value());
        writes.add(w -> {
            long ordinal = w.queue().lastOrdinal(lane) + 1;
            w.queue().putInbound(InboundRow.values(change.inbound().at(ordinal)), lane, ordinal);
        });
    }

    /**
     * Whom a session talks to, ready to be stored.
     *
     * @param lane the lane
     * @param origin the source as JSON, or null
     */
    record Peer(String lane, @Nullable String origin) {
        static Peer of(SessionPeer peer) {
            return new Peer(
                    Unicode.wellFormed(peer.key().value()),
                    peer.origin().map(SourceText::write).orElse(null));
        }
    }

    /**
     * A touch of a lane, ready to be stored.
     *
     * @param lane the lane
     * @param session the session the activity belongs to
     * @param at when, in nanoseconds
     * @param tokens tokens used
     * @param costUsd their cost
     * @param lastPromptTokens the size of the last prompt
     * @param clears the mark to clear
     */
    record LaneTouch(
            String lane,
            String session,
            long at,
            dev.parley.domain.usage.TokenUsage tokens,
            double costUsd,
            Optional<Long> lastPromptTokens,
            Optional<Mark> clears) {
        /**
         * A {@link Standing.ResumePending} as its columns hold it.
         *
         * @param reason the reason, or null
         * @param markedAt the time in nanoseconds, or null
         */
        record Mark(@Nullable String reason, @Nullable Long markedAt) {}
    }

    /**
     * A message with its session and state, ready to be stored.
     *
     * @param session its session
     * @param sequence the row number it had, which it keeps where that comes after all rows
     * @param row the message
     * @param active whether it is part of its conversation
     * @param compacted whether it stands behind a summary
     */
    record ImportedRow(String session, long sequence, MessageRow row, boolean active, boolean compacted) {
        static ImportedRow of(StoredMessage message) {
            return new ImportedRow(
                    message.session().value(),
                    message.sequence(),
                    MessageRow.unchanged(message.message()),
                    message.isActive(),
                    message.state() == StoredMessage.State.COMPACTED);
        }
    }
}
