package dev.parley.application.port;

import java.util.List;

/** Told what the gateway does; feeds logs, metrics and replay. Calls come from any thread; an implementation returns quickly. */
public interface GatewayEvents {
    /** Takes notice of an event. */
    void on(GatewayEvent event);

    /** Returns a listener that tells several, in their order; one that throws keeps nothing from the others. */
    static GatewayEvents all(List<? extends GatewayEvents> listeners) {
        List<GatewayEvents> each = List.copyOf(listeners);
        return event -> {
            RuntimeException failed = null;
            for (GatewayEvents listener : each) {
                try {
                    listener.on(event);
                } catch (RuntimeException e) {
                    if (failed == null) {
                        failed = e;
                    } else {
                        failed.addSuppressed(e);
                    }
                }
            }
            if (failed != null) {
                throw failed;
            }
        };
    }

    /** Nobody listens. */
    GatewayEvents NONE = event -> {};
}
