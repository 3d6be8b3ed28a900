package dev.parley.application.gateway;

import dev.parley.application.port.GatewayEvent;
import dev.parley.application.port.GatewayEvents;
import java.util.concurrent.CompletionStage;

/**
 * Tells the operator's chats when storage degrades and when it is whole again, one message each; what happens before there is a
 * gateway to tell it is told once there is. Everything is passed on to other listeners first. Safe for concurrent use.
 */
public final class OperatorNotices implements GatewayEvents {
    private final GatewayEvents others;
    /** The gateway, once it has told everything before. */
    private CompletionStage<Gateway> next;

    /**
     * Notices beside what {@code others} do with the events.
     *
     * @param gateway completes with the gateway that tells them
     */
    public OperatorNotices(GatewayEvents others, CompletionStage<Gateway> gateway) {
        this.others = others;
        this.next = gateway;
    }

    @Override
    public void on(GatewayEvent event) {
        others.on(event);
        if (event instanceof GatewayEvent.Degraded degraded) {
            tell("Storage is degraded, and the gateway goes on with its fallback: " + degraded.why());
        } else if (event instanceof GatewayEvent.Healed healed) {
            tell("Storage is whole again; " + healed.messages() + " messages were merged back.");
        }
    }

    /** Only posts to the gateway itself. */
    @Override
    public boolean neverBlocks() {
        return others.neverBlocks();
    }

    private synchronized void tell(String text) {
        next = next.thenApply(gateway -> {
            gateway.announce(text);
            return gateway;
        });
    }
}
