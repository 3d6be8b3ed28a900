package dev.parley.domain.turn;

import dev.parley.domain.key.SessionKey;
import dev.parley.domain.session.SessionId;
import dev.parley.domain.text.OneLine;
import java.time.Duration;
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
 * @param workingSince when the agent began to work on it; absent before, and where it never did
 * @param reason why it has no answer, or was cut off; absent where it was answered
 * @param note one line about its end for operators; no words of people
 * @param usage what it used
 * @param token the lane's token it was claimed under; 0 where one gateway has the store to itself
 */
public record Turn(
        TurnId id,
        SessionKey lane,
        SessionId session,
        RunId run,
        List<InboundId> inputs,
        Instant startedAt,
        State state,
        Optional<Instant> endedAt,
        Optional<Instant> workingSince,
        Optional<TurnReason> reason,
        Optional<String> note,
        TurnUsage usage,
        long token) {
    private static final int NOTE = 300;

    /** Makes the note one line of at most 300 characters. */
    public Turn {
        inputs = List.copyOf(inputs);
        note = note.map(text -> OneLine.of(text, NOTE)).filter(text -> !text.isEmpty());
    }

    /** A turn of which no more is known than how it stands. */
    public Turn(
            TurnId id,
            SessionKey lane,
            SessionId session,
            RunId run,
            List<InboundId> inputs,
            Instant startedAt,
            State state,
            Optional<Instant> endedAt) {
        this(
                id,
                lane,
                session,
                run,
                inputs,
                startedAt,
                state,
                endedAt,
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                TurnUsage.NONE,
                0);
    }

    /** Returns a turn that is claimed by a run. */
    public static Turn claimed(
            TurnId id, SessionKey lane, SessionId session, RunId run, List<InboundId> inputs, Instant at) {
        return new Turn(id, lane, session, run, inputs, at, State.CLAIMED, Optional.empty());
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
        DROPPED;

        /** Returns the word used in output. */
        public String text() {
            return name().toLowerCase(java.util.Locale.ROOT);
        }
    }

    /** Returns how long it took from the claim to its end; absent while it is claimed. */
    public Optional<Duration> took() {
        return endedAt.map(end -> Duration.between(startedAt, end));
    }

    /** Returns this turn ended. */
    public Turn ended(State how, Instant at) {
        return with(session, how, Optional.of(at), workingSince, reason, note, usage, token);
    }

    /** Returns this turn with the reason why it has no answer. */
    public Turn because(TurnReason why) {
        return with(session, state, endedAt, workingSince, Optional.of(why), note, usage, token);
    }

    /** Returns this turn with one line about its end. */
    public Turn noted(String line) {
        return with(session, state, endedAt, workingSince, reason, Optional.of(line), usage, token);
    }

    /** Returns this turn with what it used. */
    public Turn used(TurnUsage what) {
        return with(session, state, endedAt, workingSince, reason, note, what, token);
    }

    /** Returns this turn with the time when the agent began to work on it. */
    public Turn working(Instant since) {
        return with(session, state, endedAt, Optional.of(since), reason, note, usage, token);
    }

    /** Returns this turn claimed under a lane's token. */
    public Turn under(long lanesToken) {
        return with(session, state, endedAt, workingSince, reason, note, usage, lanesToken);
    }

    /** Returns this turn in another session, after its session was continued elsewhere. */
    public Turn in(SessionId other) {
        return with(other, state, endedAt, workingSince, reason, note, usage, token);
    }

    private Turn with(
            SessionId nextSession,
            State nextState,
            Optional<Instant> end,
            Optional<Instant> since,
            Optional<TurnReason> why,
            Optional<String> line,
            TurnUsage nextUsage,
            long nextToken) {
        return new Turn(
                id, lane, nextSession, run, inputs, startedAt, nextState, end, since, why, line, nextUsage, nextToken);
    }
}
