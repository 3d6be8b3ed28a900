package dev.parley.application.lane;

import dev.parley.application.port.GatewayEvent;
import dev.parley.domain.change.Change;
import dev.parley.domain.change.Precondition;
import dev.parley.domain.turn.Inbound;
import dev.parley.domain.turn.InboundId;
import java.util.List;
import java.util.Optional;

/** What becomes of a waiting message that an operator drops. Pure. */
final class Withdrawing {
    private static final String DROPPED = "An operator has dropped the message.";

    private Withdrawing() {}

    /** Drops a message; nothing where it does not wait any more, or an agent makes the summary that it asked for. */
    static LaneStep drop(LaneState state, InboundId id, Moment moment) {
        LaneStep.Draft step = new LaneStep.Draft(state);
        Optional<Inbound> found = state.waiting().messages().stream()
                .filter(message -> message.id().equals(id) && !state.slot().isSummarising(id))
                .findFirst();
        if (found.isEmpty()) {
            return step.then(new Effect.Answer(false)).done();
        }
        return step.require(new Precondition.StillAdmitted(id))
                .store(new Change.PutInbound(found.get().in(Inbound.State.DROPPED)))
                .after(s -> s.without(List.of(found.get())))
                .then(new Effect.Answer(true))
                .then(new Effect.Tell(new GatewayEvent.Dropped(moment.lane(), "dropped by an operator")))
                .then(new Effect.Close(List.of(id), DROPPED))
                .done();
    }
}
