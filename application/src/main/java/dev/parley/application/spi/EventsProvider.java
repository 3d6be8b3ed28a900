package dev.parley.application.spi;

import dev.parley.application.port.GatewayEvents;

/** Makes what is told what the gateway does. Found as a service. */
public interface EventsProvider extends ExtensionProvider<GatewayEvents> {}
