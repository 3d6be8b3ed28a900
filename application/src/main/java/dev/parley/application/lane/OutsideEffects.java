package dev.parley.application.lane;

import dev.parley.application.port.GatewayEvents;
import dev.parley.domain.key.SessionKey;
import java.util.Optional;

/**
 * Effects that reach beyond the lane: chats, hooks, kept agents, the operator, the other lanes and the gateway.
 *
 * @param lane the lane
 * @param outlets where they go
 * @param gateway the gateway it belongs to
 * @param neighbours the other lanes
 * @param events tells the operator
 */
record OutsideEffects(
        SessionKey lane, Outlets outlets, GatewayState gateway, Neighbours neighbours, GatewayEvents events) {
    /** Such an effect happens; returns false where it is none. */
    boolean run(Effect effect) {
        if (effect instanceof Effect.Deliver deliver) {
            outlets.deliveries().add(deliver.message());
        } else if (effect instanceof Effect.Tell told) {
            events.on(told.event());
        } else if (effect instanceof Effect.Remember remember) {
            outlets.turnedAway().tell(remember.message());
        } else if (effect instanceof Effect.ReleaseAgent) {
            outlets.cache().release(lane);
        } else if (effect instanceof Effect.CloseAgent) {
            outlets.cache().close(lane);
        } else if (effect instanceof Effect.Succeeded) {
            gateway.succeeded(lane);
        } else if (effect instanceof Effect.StopBeside beside) {
            neighbours
                    .runningBeside(lane, beside.source())
                    .forEach(other -> neighbours.stopFor(other, beside.source()));
        } else if (effect instanceof Effect.Restart) {
            gateway.restart();
        } else {
            return callHook(effect);
        }
        return true;
    }

    private boolean callHook(Effect effect) {
        if (effect instanceof Effect.SessionFinalized over) {
            outlets.hooks()
                    .call(
                            lane,
                            hooks -> hooks.sessionFinalized(
                                    lane, over.session(), Optional.of(over.next()), over.reason()));
        } else if (effect instanceof Effect.SessionStarted started) {
            outlets.hooks().call(lane, hooks -> hooks.sessionStarted(lane, started.session()));
        } else if (effect instanceof Effect.SessionReset reset) {
            outlets.hooks().call(lane, hooks -> hooks.sessionReset(lane, reset.session()));
        } else {
            return false;
        }
        return true;
    }
}
