package dev.parley.application.lane;

import dev.parley.application.store.SessionTransitions;
import dev.parley.application.store.Transition;
import dev.parley.domain.change.Change;
import dev.parley.domain.session.Lane;
import dev.parley.domain.source.Platform;
import dev.parley.domain.source.SessionSource;
import dev.parley.domain.turn.Outgoing;
import java.util.Optional;
import java.util.Set;

/** What a stop of the gateway does to a lane (P7.37 to P7.43). Pure. */
final class Draining {
    private Draining() {}

    /** Returns where the people of the running turn are who are to be told of a stop (P7.38). */
    static Optional<SessionSource> toBeTold(LaneState state, Set<Platform> muted) {
        return state.slot()
                .working()
                .map(turn -> turn.plan().source())
                .filter(people -> !muted.contains(people.platform()));
    }

    /** Tells them. */
    static LaneStep banner(LaneState state, SessionSource people, Stopping stop, Moment moment) {
        Outgoing banner = moment.outgoing(people, stop.banner(), Outgoing.Kind.BANNER, Optional.empty());
        return new LaneStep.Draft(state)
                .store(new Change.PutOutgoing(banner))
                .then(new Effect.Deliver(banner))
                .done();
    }

    /**
     * The drain has timed out: a turn that still runs is marked, then its agent interrupted (P7.40, P7.42). One that has lost too many races is
     * only interrupted.
     */
    static LaneStep cutOff(LaneState state, Stopping stop, int attempt, Moment moment) {
        Optional<TurnWork> turn = state.slot().working();
        if (turn.isEmpty() || state.lane().isEmpty()) {
            return LaneStep.none(state);
        }
        LaneStep.Draft step = new LaneStep.Draft(state).ofTurn();
        Lane before = state.lane().get();
        boolean same = before.entry().sessionId().equals(turn.get().plan().session());
        if (same && !before.entry().isSuspended() && attempt <= Deciding.ATTEMPTS) {
            Transition marking = SessionTransitions.markToBeResumed(before, stop.reason(), moment.now());
            step.require(turn.get().claim())
                    .require(marking.preconditions())
                    .store(marking.changes())
                    .after(s -> s.with(marking.after()));
            Histories.told(marking.changes()).forEach(step::then);
        }
        return step.after(s -> s.interrupted(Cause.DRAIN))
                .then(new Effect.Interrupt(stop.interrupt()))
                .done();
    }
}
