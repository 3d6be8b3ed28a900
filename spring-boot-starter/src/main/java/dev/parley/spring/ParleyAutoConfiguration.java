package dev.parley.spring;

import dev.parley.application.agents.BlockingAgents;
import dev.parley.application.command.ChatCommand;
import dev.parley.application.commands.BuiltInCommands;
import dev.parley.application.gateway.Gateway;
import dev.parley.application.port.AgentFactory;
import dev.parley.application.port.Authorization;
import dev.parley.application.port.ChatPlatform;
import dev.parley.application.port.Cursors;
import dev.parley.application.port.GatewayEvents;
import dev.parley.application.port.InvalidRequest;
import dev.parley.application.port.LifecycleHooks;
import dev.parley.application.port.MediaStore;
import dev.parley.application.settings.GatewaySettings;
import dev.parley.application.spi.AgentProvider;
import dev.parley.application.spi.Storage;
import dev.parley.home.GatewayHome;
import dev.parley.home.StorageAt;
import dev.parley.home.access.Pairing;
import dev.parley.home.log.GatewayLog;
import dev.parley.home.media.FileMedia;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.core.env.ConfigurableEnvironment;

/**
 * A gateway of the beans and properties of an application. Beans of these types take the place of what is made here, or stand beside it:
 * {@code AgentFactory}, {@code Storage}, {@code Authorization}, {@code MediaStore}, {@code GatewaySettings}, {@code LifecycleHooks}; each {@code ChatPlatform},
 * {@code ChatCommand}, {@code GatewayEvents} and {@link GatewayCustomizer}.
 */
@AutoConfiguration(after = SpringAiAutoConfiguration.class)
@ConditionalOnProperty(prefix = "parley", name = "enabled", matchIfMissing = true)
@EnableConfigurationProperties(ParleyProperties.class)
public class ParleyAutoConfiguration {
    /** Made by Spring. */
    public ParleyAutoConfiguration() {}

    @Bean(destroyMethod = "close")
    @ConditionalOnMissingBean
    GatewayHome parleyHome(ParleyProperties properties, ObjectProvider<Clock> clock) {
        return GatewayHome.take(
                properties.home().toAbsolutePath(), clock.getIfUnique(Clock::systemUTC), ApplicationLog.LOG::warn);
    }

    @Bean
    Surroundings parleySurroundings(
            ParleyProperties properties, GatewayHome home, ConfigurableEnvironment environment) {
        return new Surroundings(properties, home, environment);
    }

    @Bean
    Providers parleyProviders(ConfigurableApplicationContext application) {
        ClassLoader loader = application.getClassLoader();
        return new Providers(loader == null ? ParleyAutoConfiguration.class.getClassLoader() : loader);
    }

    @Bean(destroyMethod = "close")
    @ConditionalOnMissingBean
    Storage parleyStorage(ParleyProperties properties, Providers providers, Surroundings surroundings, GatewayLog log) {
        StorageAt primary = surroundings.storage(
                providers,
                "parley.storage.url",
                properties.storage().url(),
                properties.storage().options());
        String fallback = properties.storage().fallback();
        return fallback.isBlank() || fallback.equals("none")
                ? primary.open()
                : surroundings
                        .home()
                        .open(
                                primary,
                                surroundings.storage(providers, "parley.storage.fallback", fallback, Map.of()),
                                event -> surroundings.listeners().getNow(log).on(event));
    }

    @Bean
    @ConditionalOnMissingBean
    Pairing parleyPairing(GatewayHome home) {
        return new Pairing(home.directory(), home.clock());
    }

    @Bean
    @ConditionalOnMissingBean
    MediaStore parleyMedia(GatewayHome home) {
        return new FileMedia(home.directory(), FileMedia.Limits.DEFAULT, home.clock());
    }

    @Bean
    @ConditionalOnMissingBean
    AgentFactory parleyAgents(
            ParleyProperties properties,
            Providers providers,
            Surroundings surroundings,
            ObjectProvider<BlockingAgents.Answering> answering,
            ObjectProvider<BlockingAgents.Summarising> summarising,
            ObjectProvider<ChatClientAgents> clients,
            MediaStore media) {
        GatewayHome home = surroundings.home();
        BlockingAgents.Answering function = answering.getIfUnique();
        if (function != null) {
            return new BlockingAgents(
                    properties.agent().model().isBlank()
                            ? "application"
                            : properties.agent().model(),
                    home.threads().agents(),
                    home.clock(),
                    function,
                    summarising.getIfUnique(() -> (history, focus) -> {
                        throw new IllegalStateException(
                                "The application makes no summaries; give it a BlockingAgents.Summarising.");
                    }));
        }
        String name = properties.agent().provider();
        if (name.isBlank()) {
            return clients.stream()
                    .flatMap(client -> client.agents().stream())
                    .findFirst()
                    .orElseThrow(() -> new InvalidRequest(
                            "The gateway has no agent: give the application a ChatModel of Spring AI, an AgentFactory or a"
                                    + " BlockingAgents.Answering, or set parley.agent.provider."));
        }
        AgentProvider provider = providers.agent(name);
        Section section = Section.of(
                "parley.agents." + name, properties.agents().getOrDefault(name, Map.of()), provider.settings());
        return provider.create(
                surroundings.agent(name).values(section.values()).build().keeping(Cursors.inMemory(), media));
    }

    @Bean
    Platforms parleyPlatforms(
            ParleyProperties properties,
            Providers providers,
            Surroundings surroundings,
            Storage storage,
            MediaStore media,
            Pairing pairing,
            ObjectProvider<GatewayEvents> listeners) {
        return Platforms.of(
                properties,
                providers,
                surroundings,
                storage,
                media,
                pairing,
                GatewayEvents.all(listeners.orderedStream().toList()));
    }

    @Bean
    GatewayLog parleyEventLog(GatewayHome home) {
        return new GatewayLog(new ApplicationLog(), home.clock());
    }

    @Bean
    @ConditionalOnMissingBean
    Gateway parleyGateway(
            ParleyProperties properties,
            Surroundings surroundings,
            Storage storage,
            AgentFactory agents,
            Platforms platforms,
            ObjectProvider<ChatPlatform> others,
            ObjectProvider<ChatCommand> commands,
            ObjectProvider<GatewayEvents> listeners,
            ObjectProvider<LifecycleHooks> hooks,
            ObjectProvider<Authorization> authorization,
            ObjectProvider<GatewaySettings> settings,
            ObjectProvider<GatewayCustomizer> customizers) {
        List<ChatPlatform> started = new ArrayList<>(platforms.started());
        others.orderedStream().forEach(started::add);
        if (started.isEmpty()) {
            ApplicationLog.LOG.warn(
                    "The gateway has no platform, so nobody can reach it: set parley.platforms.telegram.allow, for one.");
        }
        List<ChatCommand> offered = new ArrayList<>(BuiltInCommands.all());
        commands.orderedStream().forEach(offered::add);
        List<GatewayEvents> told = new ArrayList<>(listeners.orderedStream().toList());
        told.addAll(platforms.surfaces());
        GatewayEvents all = GatewayEvents.all(told);
        surroundings.listeners().complete(all);
        Gateway.Builder builder = surroundings
                .home()
                .gateway()
                .zone(properties.zone())
                .storage(storage)
                .agents(agents)
                .platforms(started)
                .commands(offered)
                .events(all)
                .hooks(LifecycleHooks.all(hooks.orderedStream().toList()))
                .authorization(authorization.getIfUnique(platforms::authorization))
                .settings(settings.getIfUnique(() -> GatewaySettings.DEFAULT));
        customizers.orderedStream().forEach(each -> each.customize(builder));
        Gateway gateway = builder.build();
        surroundings.inspection().lookInto(gateway);
        return gateway;
    }

    @Bean
    GatewayLifecycle parleyLifecycle(Gateway gateway, ConfigurableApplicationContext application) {
        return new GatewayLifecycle(gateway, application);
    }
}
