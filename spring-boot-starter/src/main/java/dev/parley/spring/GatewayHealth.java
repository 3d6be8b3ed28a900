package dev.parley.spring;

import dev.parley.application.gateway.Gateway;
import dev.parley.application.port.PlatformState;
import java.util.Map;
import java.util.TreeMap;
import org.springframework.boot.actuate.health.AbstractHealthIndicator;
import org.springframework.boot.actuate.health.Health;

/**
 * The gateway's health: up while it takes messages, also where it does so without its storage, which the details say; out of service while it
 * starts or drains; down where it takes no message.
 */
final class GatewayHealth extends AbstractHealthIndicator {
    private final Gateway gateway;

    GatewayHealth(Gateway gateway) {
        super("The gateway's health could not be read.");
        this.gateway = gateway;
    }

    @Override
    protected void doHealthCheck(Health.Builder health) {
        Map<String, String> facts = gateway.health();
        switch (facts.getOrDefault("status", "refusing")) {
            case "ok", "degraded" -> health.up();
            case "starting", "draining" -> health.outOfService();
            default -> health.down();
        }
        facts.forEach((name, value) -> health.withDetail(name.equals("status") ? "gateway" : name, value));
        Map<String, String> platforms = new TreeMap<>();
        for (PlatformState each : gateway.platforms()) {
            platforms.put(each.platform().name(), each.standing().word());
        }
        health.withDetail("platforms", platforms);
    }
}
