package dev.parley.application.gateway;

import dev.parley.application.port.GatewayEvent;
import dev.parley.application.port.GatewayEvents;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Tells the operator's chats when storage degrades and when it is whole again, one message each; what happens before there is a
 * gateway to tell it is told once there is. Everything is passed on to other listeners first. Safe for concurrent use.
 */
public final class OperatorNotices implements GatewayEvents {
    private final GatewayEvents others;
    private final List<String> untold = new ArrayList<>();
    private Optional<Gateway> gateway = Optional.empty();

    /** Notices beside what {@code others} do with the events. */
    public OperatorNotices(GatewayEvents others) {
        this.others = others;
    }

    @Override
    public void on(GatewayEvent event) {
        others.on(event);
        if (event instanceof GatewayEvent.Degraded degraded) {
            tell("Storage is degraded, I go on with the fallback: " + degraded.why());
        } else if (event instanceof GatewayEvent.Healed healed) {
            tell("Storage is whole again; " + healed.messages() + " messages were merged back.");
        }
    }

    /** Only posts to the gateway itself. */
    @Override
    public boolean neverBlocks() {
        return others.neverBlocks();
    }

    /** From now on the gateway tells it. */
    public synchronized void tellThrough(Gateway made) {
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
