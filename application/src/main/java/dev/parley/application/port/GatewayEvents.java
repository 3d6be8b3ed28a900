package dev.parley.application.port;

/** Told what the gateway does; feeds logs, metrics and replay. Calls come from any thread; an implementation returns quickly. */
public interface GatewayEvents {
    /** Takes notice of an event. */
    void on(GatewayEvent event);

    /** Nobody listens. */
    GatewayEvents NONE = event -> {};
}
