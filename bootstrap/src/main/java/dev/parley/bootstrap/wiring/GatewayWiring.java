package dev.parley.bootstrap.wiring;

import com.google.common.base.Throwables;
import com.google.inject.AbstractModule;
import com.google.inject.CreationException;
import com.google.inject.Guice;
import com.google.inject.Injector;
import com.google.inject.Key;
import com.google.inject.Module;
import com.google.inject.Provides;
import com.google.inject.ProvisionException;
import com.google.inject.Stage;
import com.google.inject.TypeLiteral;
import com.google.inject.spi.Message;
import dev.parley.adapter.http.GatewayClient;
import dev.parley.application.actor.Timing;
import dev.parley.application.commands.BuiltInCommands;
import dev.parley.application.degrade.DegradingStorage;
import dev.parley.application.degrade.Fallback;
import dev.parley.application.degrade.Primary;
import dev.parley.application.gateway.Gateway;
import dev.parley.application.gateway.OperatorNotices;
import dev.parley.application.gateway.StoredCursors;
import dev.parley.application.guard.GuardedEvents;
import dev.parley.application.nodes.SoleStorage;
import dev.parley.application.port.AgentFactory;
import dev.parley.application.port.Authorization;
import dev.parley.application.port.ChatPlatform;
import dev.parley.application.port.Cursors;
import dev.parley.application.port.GatewayEvents;
import dev.parley.application.port.GatewayMarkers;
import dev.parley.application.port.Ids;
import dev.parley.application.port.InvalidRequest;
import dev.parley.application.port.LifecycleHooks;
import dev.parley.application.port.MediaStore;
import dev.parley.application.port.ParleyException;
import dev.parley.application.port.Timers;
import dev.parley.application.spi.Observer;
import dev.parley.application.spi.Storage;
import dev.parley.application.spi.WebSurface;
import dev.parley.bootstrap.config.Configuration;
import dev.parley.domain.key.KeyRules;
import dev.parley.home.DeferredInspection;
import dev.parley.home.FileMarkers;
import dev.parley.home.GatewayHome;
import dev.parley.home.GatewayThreads;
import dev.parley.home.WhatsAppAliasFiles;
import dev.parley.home.access.Pairing;
import dev.parley.home.log.GatewayLog;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.UnaryOperator;
import java.util.logging.Level;
import java.util.logging.Logger;

/** Puts a gateway together from the configuration: one module for each concern. */
public final class GatewayWiring {
    private static final Key<CompletableFuture<Gateway>> ONCE_MADE = Key.get(new TypeLiteral<>() {});

    /**
     * Libraries that write to a log of their own what is counted and told here, which would stand between the lines of the log; kept,
     * since such loggers are forgotten otherwise.
     */
    private static final Logger TALKATIVE = Logger.getLogger("io.opentelemetry");

    private static final Duration MAINTENANCE_CHECK = Duration.ofSeconds(1);

    private GatewayWiring() {}

    /**
     * A gateway that is ready to be started, and its platforms.
     *
     * @param gateway the gateway
     * @param platforms its platforms
     * @param storage its storage, open until the parts are closed
     */
    public record Assembled(Gateway gateway, List<ChatPlatform> platforms, Storage storage) {
        public Assembled {
            platforms = List.copyOf(platforms);
        }
    }

    /**
     * Returns a gateway, not yet started; throws what stood in the way, such as a storage that cannot be opened. What the agent or a
     * platform cannot take of its settings is told before a storage is opened, so that none is made for a start that fails.
     */
    public static Assembled assemble(GatewayParts parts) {
        // What is made afterwards warns again.
        Queue<String> warnings = new ConcurrentLinkedQueue<>();
        List<String> refusals = Trial.refusals(parts.warning(warnings::add));
        if (!refusals.isEmpty()) {
            warnings.forEach(parts.warnings());
            throw new InvalidRequest(String.join(System.lineSeparator() + "parley: ", refusals));
        }
        try {
            Injector injector = Guice.createInjector(Stage.PRODUCTION, modules(parts));
            Assembled assembled = new Assembled(
                    injector.getInstance(Gateway.class),
                    injector.getInstance(Platforms.class).started(),
                    injector.getInstance(Storage.class));
            injector.getInstance(DeferredInspection.class).lookInto(assembled.gateway());
            injector.getInstance(ONCE_MADE).complete(assembled.gateway());
            return assembled;
        } catch (CreationException e) {
            throw known(e.getErrorMessages()).orElseThrow(() -> e);
        } catch (ProvisionException e) {
            throw known(e.getErrorMessages()).orElseThrow(() -> e);
        }
    }

    /** What is wrong may be told by several parts that need the same thing; the first says it. */
    private static Optional<ParleyException> known(Collection<Message> messages) {
        return messages.stream()
                .flatMap(message -> Throwables.getCausalChain(Optional.ofNullable(message.getCause())
                                .orElseGet(() -> new IllegalStateException(message.getMessage())))
                        .stream())
                .filter(ParleyException.class::isInstance)
                .map(ParleyException.class::cast)
                .findFirst();
    }

    private static List<Module> modules(GatewayParts parts) {
        return List.of(
                new SurroundingsModule(parts),
                new StorageModule(parts),
                new AgentModule(parts),
                new PlatformModule(parts),
                new GatewayModule(parts));
    }

    private abstract static class Explicit extends AbstractModule {
        final GatewayParts parts;

        Explicit(GatewayParts parts) {
            this.parts = parts;
        }

        @Override
        protected void configure() {
            binder().requireExplicitBindings();
            binder().disableCircularProxies();
        }
    }

    /**
     * What the web server shows beside its own.
     *
     * @param made the surfaces
     */
    record Surfaces(List<WebSurface> made) {}

    /** Time, chance, threads, what plug-ins add, and who is told. */
    static final class SurroundingsModule extends Explicit {
        SurroundingsModule(GatewayParts parts) {
            super(parts);
        }

        @Provides
        @Singleton
        GatewayThreads threads() {
            return parts.closer().add(new GatewayThreads());
        }

        @Provides
        @Singleton
        Timers timers(GatewayThreads threads) {
            return threads;
        }

        @Provides
        @Singleton
        Ids ids() {
            return ProcessSurroundings.ids();
        }

        @Provides
        @Singleton
        Provided provided(Ids ids, GatewayThreads threads, DeferredInspection inspection, MediaStore media) {
            return new Provided(parts, ids, threads, inspection, media);
        }

        @Provides
        @Singleton
        Surfaces surfaces(Provided provided) {
            return new Surfaces(provided.surfaces());
        }

        @Provides
        @Singleton
        Extensions extensions(Provided provided) {
            Extensions.Collected made = new Extensions.Collected();
            // What is never used was told when the settings were checked.
            provided.extensionSteps(warning -> {}).forEach(step -> step.into(made));
            return made.all();
        }

        @Provides
        @Singleton
        MediaStore mediaStore() {
            return Provided.media(parts);
        }

        @Provides
        @Singleton
        CompletableFuture<Gateway> onceMade() {
            return new CompletableFuture<>();
        }

        @Provides
        @Singleton
        OperatorNotices notices(
                Surfaces surfaces,
                Extensions extensions,
                GatewayThreads threads,
                Provided provided,
                CompletableFuture<Gateway> gateway) {
            // Observers are listeners too: what they tell of themselves goes to all of them, once they are together.
            CompletableFuture<GatewayEvents> together = new CompletableFuture<>();
            List<GatewayEvents> listeners = new ArrayList<>();
            listeners.add(new GatewayLog(new ProcessLog(), parts.clock()));
            listeners.add(new AuditFile(parts.home().path(), parts.clock(), parts.warnings()));
            listeners.addAll(surfaces.made());
            listeners.addAll(extensions.events());
            TALKATIVE.setLevel(Level.OFF);
            for (Observer observer : provided.observers(
                    event -> together.getNow(GatewayEvents.NONE).on(event))) {
                listeners.add(parts.closer().add(observer));
                observer.start();
            }
            GuardedEvents told = new GuardedEvents(GatewayEvents.all(listeners), threads.executor(), parts.clock());
            together.complete(told);
            return new OperatorNotices(told, gateway);
        }

        @Provides
        @Singleton
        GatewayEvents events(OperatorNotices notices) {
            return notices;
        }

        @Provides
        @Singleton
        DeferredInspection inspection() {
            return Provided.inspection(parts);
        }
    }

    /** Storage and markers. */
    static final class StorageModule extends Explicit {
        StorageModule(GatewayParts parts) {
            super(parts);
        }

        @Provides
        @Singleton
        Storage storage(Ids ids, GatewayThreads threads, GatewayEvents events) {
            Configuration c = parts.configuration();
            Storages storages = Storages.of(parts, ids);
            UnaryOperator<Storage> shared = c.cluster().isPresent()
                    ? sharingTokens(parts)
                    : store -> SoleStorage.of(store, NodeIdentity.of(c, parts.home()), threads, ids, System::nanoTime);
            Primary primary = storages.primary(c.storage(), shared);
            Optional<Fallback> fallback = storages.fallback(c.storage());
            return parts.closer()
                    .add(
                            fallback.isEmpty()
                                    ? primary.open()
                                    : DegradingStorage.open(
                                            primary,
                                            fallback.get(),
                                            threads,
                                            threads.executor(),
                                            ids,
                                            parts.clock(),
                                            events,
                                            GatewayHome.PROBE_EVERY));
        }

        @Provides
        @Singleton
        GatewayMarkers markers() {
            return new FileMarkers(parts.home());
        }
    }

    /** The agent. */
    static final class AgentModule extends Explicit {
        AgentModule(GatewayParts parts) {
            super(parts);
        }

        @Provides
        @Singleton
        AgentFactory agents(Provided provided) {
            return provided.agent();
        }
    }

    /**
     * The platforms that are to be started, in the order of their sections.
     *
     * @param started the platforms
     */
    record Platforms(List<ChatPlatform> started) {}

    /** Platforms and who may talk on them. */
    static final class PlatformModule extends Explicit {
        PlatformModule(GatewayParts parts) {
            super(parts);
        }

        @Provides
        @Singleton
        Platforms platforms(
                Storage storage,
                Ids ids,
                GatewayThreads threads,
                GatewayEvents events,
                Surfaces surfaces,
                Provided provided) {
            Timing timing = new Timing(parts.clock(), threads, ids);
            Cursors cursors = new StoredCursors(storage, timing, threads.executor(), events);
            List<ChatPlatform> made = new ArrayList<>();
            parts.wanted()
                    .forEach((section, values) ->
                            made.add(provided.platform(section, values, surfaces.made(), cursors)));
            return new Platforms(List.copyOf(made));
        }

        @Provides
        @Singleton
        Authorization authorization(Extensions extensions) {
            List<Authorization> all = new ArrayList<>();
            all.add(ConfiguredAuthorization.of(parts.configuration(), new Pairing(parts.home(), parts.clock())));
            all.addAll(extensions.authorizations());
            return Authorization.all(all);
        }
    }

    /** The gateway. */
    static final class GatewayModule extends Explicit {
        GatewayModule(GatewayParts parts) {
            super(parts);
        }

        @Provides
        @Singleton
        KeyRules rules() {
            KeyRules rules = new KeyRules(parts.configuration().isolation(), new WhatsAppAliasFiles(parts.home()));
            return parts.configuration().multiplexProfiles() ? rules.withProfiles(Optional.empty()) : rules;
        }

        @Provides
        @Singleton
        Gateway gateway(
                Storage storage,
                AgentFactory agents,
                Platforms platforms,
                Timers timers,
                Ids ids,
                GatewayThreads threads,
                GatewayMarkers markers,
                GatewayEvents events,
                Authorization authorization,
                Extensions extensions,
                KeyRules rules) {
            Gateway.Builder builder = Gateway.builder();
            parts.configuration()
                    .cluster()
                    .ifPresent(cluster ->
                            builder.node(NodeIdentity.of(parts.configuration(), parts.home()), System::nanoTime));
            return builder.storage(storage)
                    .agents(agents)
                    .platforms(platforms.started())
                    .commands(BuiltInCommands.all())
                    .commands(extensions.commands())
                    .hooks(LifecycleHooks.all(extensions.hooks()))
                    .clock(parts.clock())
                    .zone(parts.configuration().zone())
                    .timers(timers)
                    .ids(ids)
                    .executor(threads.executor())
                    .markers(markers)
                    .events(events)
                    .authorization(authorization)
                    .rules(rules)
                    .settings(parts.configuration()
                            .gateway()
                            .chat(c -> c.withHome(parts.home().shown(parts.userHome())))
                            .operation(o -> o.withMaintenanceCheck(MAINTENANCE_CHECK)))
                    .build();
        }
    }

    /** Gives the home the tokens that all nodes of a store have. */
    private static UnaryOperator<Storage> sharingTokens(GatewayParts parts) {
        return store -> {
            if (parts.wanted().containsKey(GatewayParts.HTTP)) {
                Optional<SharedTokens> tokens = store.cluster().map(SharedTokens::new);
                tokens.ifPresent(shared -> {
                    shared.adopt(GatewayClient.tokenFile(parts.home().path()));
                    shared.adopt(GatewayClient.readerTokenFile(parts.home().path()));
                });
            }
            return store;
        };
    }
}
