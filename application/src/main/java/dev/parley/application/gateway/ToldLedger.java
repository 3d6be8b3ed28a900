package dev.parley.application.gateway;

import dev.parley.application.actor.Timing;
import dev.parley.application.port.GatewayEvent;
import dev.parley.application.port.GatewayEvents;
import dev.parley.application.port.Ledger;
import dev.parley.domain.change.Batch;
import dev.parley.domain.change.Change;
import dev.parley.domain.change.CommitResult;
import dev.parley.domain.change.Precondition;
import dev.parley.domain.turn.Inbound;
import dev.parley.domain.turn.Turn;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/**
 * A ledger that tells what it stores: messages that are admitted, each once, turns that are claimed and end. A batch that is committed
 * again after a failure is told when it is stored.
 *
 * @param ledger the ledger
 * @param events told; throws nothing
 * @param timing time
 */
record ToldLedger(Ledger ledger, GatewayEvents events, Timing timing) implements Ledger {
    @Override
    public CommitResult commit(Batch batch) {
        Instant begun = timing.clock().instant();
        GatewayEvent.Committed.Outcome outcome = GatewayEvent.Committed.Outcome.FAILED;
        try {
            CommitResult result = ledger.commit(batch);
            outcome = result.isCommitted()
                    ? GatewayEvent.Committed.Outcome.COMMITTED
                    : GatewayEvent.Committed.Outcome.CONFLICT;
            return result;
        } finally {
            Duration took = Duration.between(begun, timing.clock().instant());
            events.on(new GatewayEvent.Committed(batch.changes().size(), took, outcome));
            if (outcome == GatewayEvent.Committed.Outcome.COMMITTED) {
                batch.changes().forEach(change -> tell(change, batch));
            }
        }
    }

    private void tell(Change change, Batch batch) {
        if (change instanceof Change.PutInbound put) {
            if (put.inbound().state() == Inbound.State.ADMITTED && !wasAdmitted(put.inbound(), batch)) {
                events.on(new GatewayEvent.Admitted(put.inbound()));
            }
        } else if (change instanceof Change.PutTurn put) {
            tell(put.turn(), batch.changes());
        }
    }

    /** Returns whether a message waited before: it is changed while it does, or comes back from a turn that ends without having read it. */
    private static boolean wasAdmitted(Inbound inbound, Batch batch) {
        return batch.preconditions().contains(new Precondition.StillAdmitted(inbound.id()))
                || batch.changes().stream()
                        .anyMatch(change -> change instanceof Change.PutTurn put
                                && put.turn().state() != Turn.State.CLAIMED
                                && put.turn().state() != Turn.State.DROPPED);
    }

    private void tell(Turn turn, List<Change> all) {
        if (turn.state() != Turn.State.CLAIMED) {
            events.on(new GatewayEvent.TurnEnded(turn));
        } else if (turn.workingSince().isEmpty()) {
            List<Inbound> inputs = all.stream()
                    .filter(Change.PutInbound.class::isInstance)
                    .map(change -> ((Change.PutInbound) change).inbound())
                    .filter(inbound -> turn.inputs().contains(inbound.id()))
                    .toList();
            events.on(new GatewayEvent.TurnClaimed(turn, inputs));
        }
    }
}
