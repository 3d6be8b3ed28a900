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
        SessionKey lane, Outlets outlets, GatewayState gateway, Neighbours neighbours, GatewayEvents events)
        implements Effect.OutwardVisitor {
    @Override
    public void deliver(Effect.Deliver effect) {
        outlets.deliveries().add(effect.message());
    }

    @Override
    public void question(Effect.Question effect) {
        outlets.deliveries().ask(effect.question(), effect.choices());
    }

    @Override
    public void tell(Effect.Tell effect) {
        events.on(effect.event());
    }

    @Override
    public void remember(Effect.Remember effect) {
        outlets.turnedAway().tell(effect.message());
    }

    @Override
    public void compressed(Effect.Compressed effect) {
        outlets.compressions().succeed(effect.session());
    }

    @Override
    public void notCompressed(Effect.NotCompressed effect) {
        outlets.compressions().fail(effect.session(), effect.at());
    }

    @Override
    public void releaseAgent(Effect.ReleaseAgent effect) {
        outlets.cache().release(lane);
    }

    @Override
    public void closeAgent(Effect.CloseAgent effect) {
        outlets.cache().close(lane);
    }

    @Override
    public void sessionFinalized(Effect.SessionFinalized effect) {
        outlets.hooks()
                .call(
                        lane,
                        hooks -> hooks.sessionFinalized(
                                lane, effect.session(), Optional.of(effect.next()), effect.reason()));
    }

    @Override
    public void sessionStarted(Effect.SessionStarted effect) {
        outlets.hooks().call(lane, hooks -> hooks.sessionStarted(lane, effect.session()));
    }

    @Override
    public void sessionReset(Effect.SessionReset effect) {
        outlets.hooks().call(lane, hooks -> hooks.sessionReset(lane, effect.session()));
    }

    @Override
    public void succeeded(Effect.Succeeded effect) {
        gateway.succeeded(lane);
    }

    @Override
    public void stopBeside(Effect.StopBeside effect) {
        neighbours.runningBeside(lane, effect.source()).forEach(other -> neighbours.stopFor(other, effect.source()));
    }

    @Override
    public void restart(Effect.Restart effect) {
        gateway.restart();
    }
}
