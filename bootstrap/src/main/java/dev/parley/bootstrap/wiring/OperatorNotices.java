package dev.parley.bootstrap.wiring;

import dev.parley.application.gateway.Gateway;
import dev.parley.application.port.GatewayEvent;
import dev.parley.application.port.GatewayEvents;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Tells the operator's chats when storage degrades and when it is whole again, one message each; what happens before there is a
 * gateway to tell it is told once there is.
 */
final class OperatorNotices implements GatewayEvents {
    private final GatewayEvents log;
    private final List<String> untold = new ArrayList<>();
    private Optional<Gateway> gateway = Optional.empty();

    OperatorNotices(GatewayEvents log) {
        this.log = log;
    }

    @Override
    public void on(GatewayEvent event) {
        log.on(event);
        if (event instanceof GatewayEvent.Degraded degraded) {
            tell("Storage is degraded, I go on with the fallback: " + degraded.why());
        } else if (event instanceof GatewayEvent.Healed healed) {
            tell("Storage is whole again; " + healed.messages() + " messages were merged back.");
        }
    }

    /** From now on the gateway tells it. */
    synchronized void tellThrough(Gateway made) {
        gateway = Optional.of(made);
        untold.forEach(made::announce);
        untold.clear();
    }

    private synchronized void tell(String text) {
        if (gateway.isPresent()) {
            gateway.get().announce(text);
        } else {
            untold.add(text);
        }
    }
}
