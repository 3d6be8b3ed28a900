package dev.parley.application.gateway;

import dev.parley.application.lane.GatewayState;
import dev.parley.application.lane.Places;
import dev.parley.application.lane.Stopping;
import dev.parley.domain.key.SessionKey;
import java.util.Optional;

/**
 * What lanes ask of their gateway.
 *
 * @param phase how far it has come
 * @param places the places of the running lanes
 * @param signals told of successes and of restarts that are asked for
 */
record SharedState(Phase phase, Places places, Signals signals) implements GatewayState {
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
    public void succeeded(SessionKey lane) {
        signals.succeeded(lane);
    }

    @Override
    public void restart() {
        signals.restart();
    }
}
