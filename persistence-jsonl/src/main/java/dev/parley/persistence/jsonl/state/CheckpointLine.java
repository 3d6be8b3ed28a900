package dev.parley.persistence.jsonl.state;

import dev.parley.domain.change.LaneEvent;
import dev.parley.domain.key.SessionKey;
import dev.parley.domain.session.Lane;
import dev.parley.domain.source.CursorName;
import dev.parley.domain.turn.Hold;
import dev.parley.domain.turn.Inbound;
import dev.parley.domain.turn.Outgoing;
import dev.parley.domain.turn.Turn;
import dev.parley.domain.usage.UsageSlot;
import java.util.List;

/** A line of a checkpoint. The first one is a head, the last one an end; a checkpoint without an end was not finished. */
public sealed interface CheckpointLine {
    /** What the checkpoint covers: everything up to {@code place}, and the place of the next message. */
    record Head(int version, long place, long sequence, List<String> doomed) implements CheckpointLine {
        public Head {
            doomed = List.copyOf(doomed);
        }
    }

    /** A session. */
    record OneSession(SessionRow row) implements CheckpointLine {}

    /** A lane. */
    record OneLane(Lane lane) implements CheckpointLine {}

    /** A line of history. */
    record OneEvent(LaneEvent event) implements CheckpointLine {}

    /** A received message. */
    record OneInbound(Inbound inbound) implements CheckpointLine {}

    /** The greatest ordinal of a lane. */
    record Ordinal(SessionKey lane, long ordinal) implements CheckpointLine {}

    /** A turn. */
    record OneTurn(Turn turn) implements CheckpointLine {}

    /** An outgoing message. */
    record OneOutgoing(Outgoing outgoing) implements CheckpointLine {}

    /** A named value. */
    record Named(String key, String value) implements CheckpointLine {}

    /** The last sequence of a writer. */
    record Writer(String writer, long sequence) implements CheckpointLine {}

    /** Where a platform's cursor stands. */
    record OneCursor(CursorName name, String value) implements CheckpointLine {}

    /** Who holds a lane. */
    record OneHold(SessionKey lane, Hold hold) implements CheckpointLine {}

    /** What was used in a quarter of an hour. */
    record OneSlot(UsageSlot slot) implements CheckpointLine {}

    /** The end, with the number of lines before it. */
    record End(long lines) implements CheckpointLine {}
}
