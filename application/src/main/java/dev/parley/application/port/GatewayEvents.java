package dev.parley.application.port;

import java.util.List;

/**
 * Told what the gateway does; feeds logs, metrics and replay. A gateway tells a listener one event at a time, in the order in which things
 * happened and soon afterwards, on a thread that nothing else waits for; one that {@link #neverBlocks} is told at once and from any thread,
 * several at a time. Told everything before a stop of the gateway completes, unless it hangs.
 */
public interface GatewayEvents {
    /** Takes notice of an event. */
    void on(GatewayEvent event);

    /**
     * Returns whether {@link #on} returns at once whatever happens, so that lanes and storage may call it themselves: it waits for no
     * lock that is held for long, no server and nobody's code.
     */
    default boolean neverBlocks() {
        return false;
    }

    /** Returns a listener that is known to return at once, so that it is told on the thread on which things happen. */
    static GatewayEvents prompt(GatewayEvents listener) {
        return new GatewayEvents() {
            @Override
            public void on(GatewayEvent event) {
                listener.on(event);
            }

            @Override
            public boolean neverBlocks() {
                return true;
            }
        };
    }

    /** Returns a listener that tells several, in their order; one that throws keeps nothing from the others. */
    static GatewayEvents all(List<? extends GatewayEvents> listeners) {
        return new Several(List.copyOf(listeners));
    }

    /** Returns the listeners that {@link #all} has put together; the listener itself where it is one. */
    static List<GatewayEvents> each(GatewayEvents listener) {
        return listener instanceof Several several
                ? several.listeners().stream()
                        .flatMap(each -> each(each).stream())
                        .toList()
                : List.of(listener);
    }

    /**
     * Several listeners.
     *
     * @param listeners told in this order
     */
    record Several(List<GatewayEvents> listeners) implements GatewayEvents {
        @Override
        public void on(GatewayEvent event) {
            RuntimeException failed = null;
            for (GatewayEvents listener : listeners) {
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
        }

        @Override
        public boolean neverBlocks() {
            return listeners.stream().allMatch(GatewayEvents::neverBlocks);
        }
    }

    /** Nobody listens. */
    GatewayEvents NONE = prompt(event -> {});
}
