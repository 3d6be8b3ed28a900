package dev.parley.application.gateway;

import dev.parley.application.lane.GatewayState;
import dev.parley.application.lane.Stopping;
import dev.parley.domain.key.SessionKey;
import dev.parley.domain.source.SessionSource;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * What lanes ask of their gateway.
 *
 * @param phase how far it has come
 * @param running which lanes run
 * @param signals told of successes and of restarts that are asked for
 */
record SharedState(Phase phase, RunningLanes running, Signals signals) implements GatewayState {
    @Override
    public Optional<Stopping> stopping() {
        return phase.stop().map(StopMode::stopping);
    }

    @Override
    public boolean isHeld() {
        return phase.isHeld();
    }

    @Override
    public boolean awaitsRecovery(SessionKey lane) {
        return phase.awaitsRecovery(lane);
    }

    @Override
    public boolean isFull() {
        return running.isFull();
    }

    @Override
    public Optional<Ticket> reserve(SessionKey lane, Supplier<Optional<SessionSource>> people) {
        return running.reserve(lane, people);
    }

    @Override
    public Ticket enter(SessionKey lane, Supplier<Optional<SessionSource>> people) {
        return running.enter(lane, people);
    }

    @Override
    public String places() {
        return running.places();
    }

    @Override
    public void succeeded(SessionKey lane) {
        signals.succeeded(lane);
    }

    @Override
    public void restart() {
        signals.restart();
    }
}
