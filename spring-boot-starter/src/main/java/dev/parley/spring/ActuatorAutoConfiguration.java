package dev.parley.spring;

import dev.parley.adapter.metrics.GatewayMetrics;
import dev.parley.application.gateway.Gateway;
import dev.parley.application.port.GatewayEvents;
import dev.parley.home.access.Pairing;
import io.micrometer.core.instrument.MeterRegistry;
import org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint;
import org.springframework.boot.actuate.autoconfigure.health.ConditionalOnEnabledHealthIndicator;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.health.HealthIndicator;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** With Spring Boot's actuator: the gateway's health and its metrics, and letting people in. */
@AutoConfiguration(
        after = ParleyAutoConfiguration.class,
        afterName = "org.springframework.boot.actuate.autoconfigure.metrics.CompositeMeterRegistryAutoConfiguration")
@ConditionalOnProperty(prefix = "parley", name = "enabled", matchIfMissing = true)
public class ActuatorAutoConfiguration {
    /** Made by Spring. */
    public ActuatorAutoConfiguration() {}

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass({HealthIndicator.class, ConditionalOnEnabledHealthIndicator.class})
    static class Health {
        @Bean
        @ConditionalOnBean(Gateway.class)
        @ConditionalOnEnabledHealthIndicator("parley")
        HealthIndicator parleyHealthIndicator(Gateway gateway) {
            return new GatewayHealthIndicator(gateway);
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass({Endpoint.class, ConditionalOnAvailableEndpoint.class})
    static class People {
        @Bean
        @ConditionalOnBean(Gateway.class)
        @ConditionalOnAvailableEndpoint
        PairingEndpoint parleyPairingEndpoint(Pairing pairing) {
            return new PairingEndpoint(pairing);
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass({MeterRegistry.class, GatewayMetrics.class})
    static class Metrics {
        @Bean
        @ConditionalOnBean(MeterRegistry.class)
        GatewayEvents parleyMetrics(MeterRegistry registry, Surroundings surroundings) {
            GatewayMetrics metrics = new GatewayMetrics(
                    registry, surroundings.platform("metrics").build());
            new Refreshing(metrics, surroundings.home()).begin();
            return metrics;
        }
    }
}
