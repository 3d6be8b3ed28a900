package dev.parley.spring;

import dev.parley.application.gateway.Gateway;
import dev.parley.application.port.GatewayHealth;
import dev.parley.application.port.PlatformState;
import java.util.Map;
import java.util.TreeMap;
import org.springframework.boot.actuate.health.AbstractHealthIndicator;
import org.springframework.boot.actuate.health.Health;

/**
 * The gateway's health: up while it takes messages, also where it does so without its storage, which the details say; out of service while it
 * starts or drains; down where it takes no message.
 */
final class GatewayHealthIndicator extends AbstractHealthIndicator {
    private final Gateway gateway;

    GatewayHealthIndicator(Gateway gateway) {
        super("The gateway's health could not be read.");
        this.gateway = gateway;
    }

    @Override
    protected void doHealthCheck(Health.Builder health) {
        GatewayHealth is = gateway.health();
        switch (is.state()) {
            case OK, DEGRADED -> health.up();
            case STARTING, DRAINING -> health.outOfService();
            case STARVED, REFUSING -> health.down();
        }
        health.withDetail("gateway", is.state().word());
        is.facts().forEach(health::withDetail);
        Map<String, String> platforms = new TreeMap<>();
        for (PlatformState each : gateway.platforms()) {
            platforms.put(each.platform().name(), each.standing().word());
        }
        health.withDetail("platforms", platforms);
    }
}
