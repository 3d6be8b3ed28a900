package dev.parley.spring;

import dev.parley.application.gateway.Gateway;

/** Changes how the gateway of the application is put together, after everything else is; a bean, called in the order of the beans. */
@FunctionalInterface
public interface GatewayCustomizer {
    /** Changes the builder of the gateway. */
    void customize(Gateway.Builder gateway);
}
