package dev.parley.application.recovery;

import dev.parley.application.port.StorageUnavailable;
import dev.parley.application.spi.Storage;
import dev.parley.application.store.SessionTransitions;
import dev.parley.application.store.Transition;
import dev.parley.domain.change.Change;
import dev.parley.domain.change.LaneEvent;
import dev.parley.domain.change.Precondition;
import dev.parley.domain.session.Lane;
import dev.parley.domain.session.ResumeReason;
import dev.parley.domain.session.SessionId;
import dev.parley.domain.turn.Inbound;
import dev.parley.domain.turn.Turn;
import dev.parley.domain.turn.TurnReason;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * How a turn ends whose process is gone: as interrupted, with its lane marked to be resumed. The mark carries the time of the last thing
 * that the turn has stored, so that work which was cut off long ago is not taken for fresh because somebody finds it now.
 *
 * @param turn the turn as it ended
 * @param preconditions what must hold
 * @param changes what is stored
 * @param history the lines of history among the changes
 */
public record CutOff(Turn turn, List<Precondition> preconditions, List<Change> changes, List<LaneEvent> history) {
    public CutOff {
        preconditions = List.copyOf(preconditions);
        changes = List.copyOf(changes);
        history = List.copyOf(history);
    }

    /** Returns how a claimed turn ends now. */
    public static CutOff of(Storage storage, Turn turn, Instant now) {
        List<Change> changes = new ArrayList<>();
        Turn ended = turn.ended(Turn.State.INTERRUPTED, now).because(TurnReason.CRASH);
        changes.add(new Change.PutTurn(ended));
        turn.inputs().stream()
                .map(storage.queue()::inbound)
                .flatMap(Optional::stream)
                .filter(i -> i.state() == Inbound.State.CLAIMED)
                .forEach(i -> changes.add(new Change.PutInbound(i.in(Inbound.State.DONE))));
        List<Precondition> preconditions = new ArrayList<>();
        preconditions.add(new Precondition.TurnClaimed(turn.id(), turn.run()));
        Optional<Lane> lane = storage.lanes().find(turn.lane());
        List<LaneEvent> history = List.of();
        if (lane.isPresent()
                && !lane.get().entry().isSuspended()
                && lane.get().entry().sessionId().equals(turn.session())) {
            Transition marking = SessionTransitions.markToBeResumed(
                    lane.get(), ResumeReason.RESTART_INTERRUPTED, lastAlive(storage, turn, now), now);
            preconditions.addAll(marking.preconditions());
            changes.addAll(marking.changes());
            history = marking.history();
        }
        return new CutOff(ended, preconditions, changes, history);
    }

    /** Returns when a cut-off turn last stored something: what it said or did last, else its claim; never later than now. */
    private static Instant lastAlive(Storage storage, Turn turn, Instant now) {
        Instant alive = lastSaid(storage, turn.session())
                .filter(at -> at.isAfter(turn.startedAt()))
                .orElse(turn.startedAt());
        return alive.isAfter(now) ? now : alive;
    }

    /** A conversation that cannot be read now says nothing; the turn's claim is known all the same. */
    private static Optional<Instant> lastSaid(Storage storage, SessionId session) {
        try {
            return storage.transcripts().tail(session, 1).stream()
                    .map(last -> last.message().at())
                    .findFirst();
        } catch (StorageUnavailable e) {
            return Optional.empty();
        }
    }
}
