package dev.parley.domain.turn;

import dev.parley.domain.key.SessionKey;
import dev.parley.domain.session.SessionId;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * One run of the agent for a lane, from the claim to its end. A claimed turn always has the row of its input in the
 * transcript, since both are stored in one batch.
 *
 * @param id the turn
 * @param lane the lane
 * @param session the session it runs in
 * @param run who holds the claim
 * @param inputs the messages it took, in the order they were merged
 * @param startedAt when it was claimed
 * @param state how it stands
 * @param endedAt when it ended; absent while it is claimed
 */
public record Turn(
        TurnId id,
        SessionKey lane,
        SessionId session,
        RunId run,
        List<InboundId> inputs,
        Instant startedAt,
        State state,
        Optional<Instant> endedAt) {

    public Turn {
        inputs = List.copyOf(inputs);
    }

    /** How a turn stands. */
    public enum State {
        /** Claimed and not ended: running, or cut off by a crash. */
        CLAIMED,
        /** Ended with an answer that is stored. */
        COMPLETED,
        /** Ended without an answer. */
        FAILED,
        /** Cut off by a restart, a crash or a newer message. */
        INTERRUPTED,
        /** Superseded by {@code /new} or {@code /stop}: what it still reports is discarded. */
        DROPPED
    }

    /** Returns this turn ended. */
    public Turn ended(State how, Instant at) {
        return new Turn(id, lane, session, run, inputs, startedAt, how, Optional.of(at));
    }

    /** Returns this turn in another session, after its session was continued elsewhere. */
    public Turn in(SessionId other) {
        return new Turn(id, lane, other, run, inputs, startedAt, state, endedAt);
    }
}
