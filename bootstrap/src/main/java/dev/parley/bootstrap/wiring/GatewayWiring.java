package dev.parley.bootstrap.wiring;

import com.google.common.base.Throwables;
import com.google.inject.AbstractModule;
import com.google.inject.CreationException;
import com.google.inject.Guice;
import com.google.inject.Injector;
import com.google.inject.Module;
import com.google.inject.Provides;
import com.google.inject.ProvisionException;
import com.google.inject.Stage;
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
import dev.parley.application.nodes.NodeSettings;
import dev.parley.application.nodes.SoleStorage;
import dev.parley.application.port.AgentFactory;
import dev.parley.application.port.Authorization;
import dev.parley.application.port.ChatPlatform;
import dev.parley.application.port.Cursors;
import dev.parley.application.port.GatewayEvent;
import dev.parley.application.port.GatewayEvents;
import dev.parley.application.port.GatewayInspection;
import dev.parley.application.port.GatewayMarkers;
import dev.parley.application.port.Ids;
import dev.parley.application.port.InvalidRequest;
import dev.parley.application.port.LifecycleHooks;
import dev.parley.application.port.MediaStore;
import dev.parley.application.port.ParleyException;
import dev.parley.application.port.Timers;
import dev.parley.application.spi.Observer;
import dev.parley.application.spi.ProviderSettings;
import dev.parley.application.spi.Storage;
import dev.parley.application.spi.WebSurface;
import dev.parley.bootstrap.config.ClusterConfiguration;
import dev.parley.bootstrap.config.Configuration;
import dev.parley.bootstrap.config.PlatformConfiguration;
import dev.parley.domain.key.KeyRules;
import dev.parley.home.DeferredInspection;
import dev.parley.home.FileMarkers;
import dev.parley.home.GatewayHome;
import dev.parley.home.GatewayThreads;
import dev.parley.home.HomeDirectory;
import dev.parley.home.WhatsAppAliasFiles;
import dev.parley.home.access.Pairing;
import dev.parley.home.media.FileMedia;
import jakarta.inject.Singleton;
import java.lang.module.ModuleDescriptor;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.regex.Pattern;

/** Puts a gateway together from the configuration: one module for each concern. */
public final class GatewayWiring {
    private static final String HTTP = "http";
    /**
     * Libraries that write to a log of their own what is counted and told here, which would stand between the lines of the log; kept,
     * since such loggers are forgotten otherwise.
     */
    private static final Logger TALKATIVE = Logger.getLogger("io.opentelemetry");

    private static final Pattern DECIDES = Pattern.compile(
            "^(zone|group_sessions_per_user|thread_sessions_per_user|multiplex_profiles|session_reset\\..*"
                    + "|reset_by_type\\..*|reset_by_platform\\..*|platforms\\.[^.]+\\.session_reset\\..*)$");
    private static final Duration MAINTENANCE_CHECK = Duration.ofSeconds(1);

    private GatewayWiring() {}

    /**
     * What a gateway is put together from.
     *
     * @param configuration the configuration, without errors
     * @param home the home directory, made and locked
     * @param userHome the user's home, for display
     * @param providers the backends, platforms and agents there are
     * @param environment the environment, for secrets
     * @param clock the clock
     * @param terminal whether a person sits at a terminal
     * @param only the platforms to start instead of those that are configured, by section, with their settings
     * @param closer takes everything that must be closed
     * @param warnings takes what an operator should know
     * @param exports writes files in the forms of the command line; absent for surfaces that offer none
     */
    public record Parts(
            Configuration configuration,
            HomeDirectory home,
            Path userHome,
            Providers providers,
            Map<String, String> environment,
            InstantSource clock,
            boolean terminal,
            Optional<Map<String, Map<String, String>>> only,
            Closer closer,
            Consumer<String> warnings,
            Optional<GatewayInspection.Exports> exports) {
        /** Copies the maps. */
        public Parts {
            environment = Map.copyOf(environment);
            only = only.map(Map::copyOf);
        }

        /** The parts of a gateway whose surfaces offer no files in the forms of the command line. */
        public Parts(
                Configuration configuration,
                HomeDirectory home,
                Path userHome,
                Providers providers,
                Map<String, String> environment,
                InstantSource clock,
                boolean terminal,
                Optional<Map<String, Map<String, String>>> only,
                Closer closer,
                Consumer<String> warnings) {
            this(
                    configuration,
                    home,
                    userHome,
                    providers,
                    environment,
                    clock,
                    terminal,
                    only,
                    closer,
                    warnings,
                    Optional.empty());
        }
    }

    /**
     * A gateway that is ready to be started, and its platforms.
     *
     * @param gateway the gateway
     * @param platforms its platforms
     */
    public record Assembled(Gateway gateway, List<ChatPlatform> platforms) {
        public Assembled {
            platforms = List.copyOf(platforms);
        }
    }

    /**
     * Returns a gateway, not yet started; throws what stood in the way, such as a storage that cannot be opened. What the agent or a
     * platform cannot take of its settings is told before a storage is opened, so that none is made for a start that fails.
     */
    public static Assembled assemble(Parts parts) {
        List<String> refusals = refusals(parts);
        if (!refusals.isEmpty()) {
            throw new InvalidRequest(String.join(System.lineSeparator() + "parley: ", refusals));
        }
        try {
            Injector injector = Guice.createInjector(Stage.PRODUCTION, modules(parts));
            Assembled assembled = new Assembled(
                    injector.getInstance(Gateway.class),
                    injector.getInstance(Platforms.class).started());
            injector.getInstance(DeferredInspection.class).lookInto(assembled.gateway());
            injector.getInstance(OperatorNotices.class).tellThrough(assembled.gateway());
            return assembled;
        } catch (CreationException e) {
            throw known(e.getErrorMessages()).orElseThrow(() -> e);
        } catch (ProvisionException e) {
            throw known(e.getErrorMessages()).orElseThrow(() -> e);
        }
    }

    /**
     * Returns what the storage, the agent and the platforms that are to be started cannot take of their settings, a line each. They are
     * made and not started; nothing is opened.
     */
    public static List<String> refusals(Parts parts) {
        List<String> refusals = new ArrayList<>();
        try (GatewayThreads threads = new GatewayThreads()) {
            Ids ids = ProcessSurroundings.ids();
            DeferredInspection inspection = inspection(parts);
            List<Runnable> makings = new ArrayList<>();
            MediaStore media = media(parts);
            var storage = parts.configuration().storage();
            makings.add(() -> storages(parts, ids).check(storage.url(), storage.options()));
            makings.add(() -> agent(parts, ids, threads, inspection, media));
            Cursors cursors = Cursors.inMemory();
            wanted(parts)
                    .forEach((section, values) -> makings.add(() ->
                            platform(parts, section, values, List.of(), ids, threads, inspection, cursors, media)));
            wanted(parts)
                    .keySet()
                    .forEach(section -> ConfiguredAuthorization.missing(
                                    Objects.requireNonNull(
                                            parts.providers().platforms().get(section)),
                                    parts.configuration())
                            .ifPresent(refusals::add));
            Extensions.Collected made = new Extensions.Collected();
            extensionMakings(parts, ids, threads, inspection, media, parts.warnings())
                    .forEach(making -> makings.add(() -> making.into(made)));
            makings.add(() -> observers(parts, ids, threads, inspection, GatewayEvents.NONE));
            for (Runnable making : makings) {
                try {
                    making.run();
                } catch (InvalidRequest e) {
                    refusals.add(String.valueOf(e.getMessage()));
                }
            }
        }
        return refusals;
    }

    private static Storages storages(Parts parts, Ids ids) {
        return new Storages(
                parts.providers(),
                parts.home(),
                parts.clock(),
                parts.configuration().zone(),
                ids,
                ProcessSurroundings.threads("storage"),
                parts.warnings(),
                parts.environment());
    }

    /**
     * What a platform that this build has needs.
     *
     * @param platform its name
     * @param configured whether the configuration has a section for it
     * @param wanted whether it is to be started
     * @param missing what is missing before it can be, a line each
     */
    public record Need(String platform, boolean configured, boolean wanted, List<String> missing) {
        public Need {
            missing = List.copyOf(missing);
        }
    }

    /** Returns what each platform of this build needs, by section. They are made and not started; nothing is opened. */
    public static Map<String, Need> needs(Parts parts) {
        Map<String, Need> needs = new LinkedHashMap<>();
        Map<String, Map<String, String>> wanted = wanted(parts);
        try (GatewayThreads threads = new GatewayThreads()) {
            Ids ids = ProcessSurroundings.ids();
            DeferredInspection inspection = inspection(parts);
            MediaStore media = media(parts);
            parts.providers().platforms().forEach((section, provider) -> {
                Optional<PlatformConfiguration> configured =
                        Optional.ofNullable(parts.configuration().platforms().get(section));
                Map<String, String> values =
                        configured.map(PlatformConfiguration::settings).orElse(Map.of());
                List<String> missing = new ArrayList<>();
                ConfiguredAuthorization.missing(provider, parts.configuration()).ifPresent(missing::add);
                try {
                    platform(parts, section, values, List.of(), ids, threads, inspection, Cursors.inMemory(), media);
                } catch (InvalidRequest e) {
                    missing.add(String.valueOf(e.getMessage()));
                }
                needs.put(
                        section,
                        new Need(provider.name().name(), configured.isPresent(), wanted.containsKey(section), missing));
            });
        }
        return needs;
    }

    private static List<Extensions.Making> extensionMakings(
            Parts parts,
            Ids ids,
            GatewayThreads threads,
            DeferredInspection inspection,
            MediaStore media,
            Consumer<String> warnings) {
        return Extensions.makings(
                parts.providers(),
                parts.configuration(),
                (name, values) -> settings(parts, "plugins." + name, values, ids, threads, threads.agents(), inspection)
                        .keeping(Cursors.inMemory(), media),
                warnings);
    }

    private static AgentFactory agent(
            Parts parts, Ids ids, GatewayThreads threads, DeferredInspection inspection, MediaStore media) {
        var agent = parts.configuration().agent();
        return parts.providers()
                .agent(agent.provider())
                .create(settings(
                                parts,
                                "agents." + agent.provider(),
                                agent.settings(),
                                ids,
                                threads,
                                threads.agents(),
                                inspection)
                        .keeping(Cursors.inMemory(), media));
    }

    private static MediaStore media(Parts parts) {
        return new FileMedia(parts.home(), parts.configuration().media(), parts.clock());
    }

    private static ChatPlatform platform(
            Parts parts,
            String section,
            Map<String, String> values,
            List<WebSurface> surfaces,
            Ids ids,
            GatewayThreads threads,
            DeferredInspection inspection,
            Cursors cursors,
            MediaStore media) {
        return Objects.requireNonNull(parts.providers().platforms().get(section))
                .create(settings(parts, "platforms." + section, values, ids, threads, threads.executor(), inspection)
                        .keeping(cursors, media)
                        .showing(section.equals(HTTP) ? surfaces : List.of()));
    }

    /** What the web server shows beside its own: nothing where there is no web server, or it is switched off. */
    private static List<WebSurface> surfaces(
            Parts parts, Ids ids, GatewayThreads threads, DeferredInspection inspection) {
        Map<String, String> values = wanted(parts).get(HTTP);
        if (values == null) {
            return List.of();
        }
        ProviderSettings settings =
                settings(parts, "platforms." + HTTP, values, ids, threads, threads.executor(), inspection);
        return parts.providers().surfaces().values().stream()
                .filter(provider -> settings.value(provider.name())
                        .filter(word -> word.equalsIgnoreCase("off") || word.equalsIgnoreCase("false"))
                        .isEmpty())
                .map(provider -> provider.create(settings))
                .toList();
    }

    /** What passes on what the gateway does, not yet started. */
    private static List<Observer> observers(
            Parts parts, Ids ids, GatewayThreads threads, DeferredInspection inspection, GatewayEvents failures) {
        return parts.providers().observers().values().stream()
                .flatMap(provider -> provider
                        .create(
                                settings(
                                        parts,
                                        "observers." + provider.name(),
                                        parts.configuration().observers().getOrDefault(provider.name(), Map.of()),
                                        ids,
                                        threads,
                                        threads.executor(),
                                        inspection),
                                failures)
                        .stream())
                .toList();
    }

    /** The settings of the platforms that are to be started, by section, in the order of the sections. */
    private static Map<String, Map<String, String>> wanted(Parts parts) {
        Map<String, Map<String, String>> wanted = new LinkedHashMap<>();
        for (String section : parts.providers().platforms().keySet()) {
            Optional<PlatformConfiguration> configured =
                    Optional.ofNullable(parts.configuration().platforms().get(section));
            Optional<Map<String, String>> values = parts.only().isPresent()
                    ? parts.only().map(chosen -> chosen.get(section))
                    : Optional.of(configured
                                    .map(PlatformConfiguration::settings)
                                    .orElse(Map.of()))
                            .filter(v -> isWanted(parts, section, configured));
            values.ifPresent(v -> wanted.put(section, v));
        }
        return wanted;
    }

    /** HTTP is there unless it is switched off, the terminal where a person sits at one; others must be switched on. */
    private static boolean isWanted(Parts parts, String section, Optional<PlatformConfiguration> configured) {
        boolean byDefault = switch (section) {
            case HTTP -> true;
            case "local" -> parts.terminal();
            default -> false;
        };
        return configured.flatMap(PlatformConfiguration::enabled).orElse(byDefault);
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

    private static List<Module> modules(Parts parts) {
        return List.of(
                new SurroundingsModule(parts),
                new StorageModule(parts),
                new AgentModule(parts),
                new PlatformModule(parts),
                new GatewayModule(parts));
    }

    private abstract static class Explicit extends AbstractModule {
        final Parts parts;

        Explicit(Parts parts) {
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

    /** What observers tell of themselves goes to all listeners, once they are together. */
    private static final class Failures implements GatewayEvents {
        private volatile GatewayEvents toldTo = GatewayEvents.NONE;

        @Override
        public void on(GatewayEvent event) {
            toldTo.on(event);
        }
    }

    /** Time, chance, threads, what plug-ins add, and who is told. */
    static final class SurroundingsModule extends Explicit {
        SurroundingsModule(Parts parts) {
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
        Surfaces surfaces(Ids ids, GatewayThreads threads, DeferredInspection inspection) {
            return new Surfaces(GatewayWiring.surfaces(parts, ids, threads, inspection));
        }

        @Provides
        @Singleton
        Extensions extensions(Ids ids, GatewayThreads threads, DeferredInspection inspection, MediaStore media) {
            Extensions.Collected made = new Extensions.Collected();
            // What is never used was told when the settings were checked.
            extensionMakings(parts, ids, threads, inspection, media, warning -> {})
                    .forEach(making -> making.into(made));
            return made.all();
        }

        @Provides
        @Singleton
        MediaStore mediaStore() {
            return media(parts);
        }

        @Provides
        @Singleton
        OperatorNotices notices(
                Surfaces surfaces,
                Extensions extensions,
                Ids ids,
                GatewayThreads threads,
                DeferredInspection inspection) {
            Failures failures = new Failures();
            List<GatewayEvents> listeners = new ArrayList<>();
            listeners.add(new EventLog(parts.clock()));
            listeners.add(new AuditFile(parts.home().path(), parts.clock(), parts.warnings()));
            listeners.addAll(surfaces.made());
            listeners.addAll(extensions.events());
            TALKATIVE.setLevel(Level.OFF);
            for (Observer observer : observers(parts, ids, threads, inspection, failures)) {
                listeners.add(parts.closer().add(observer));
                observer.start();
            }
            GuardedEvents told = new GuardedEvents(GatewayEvents.all(listeners), threads.executor(), parts.clock());
            failures.toldTo = told;
            return new OperatorNotices(told);
        }

        @Provides
        @Singleton
        GatewayEvents events(OperatorNotices notices) {
            return notices;
        }

        @Provides
        @Singleton
        DeferredInspection inspection() {
            return GatewayWiring.inspection(parts);
        }
    }

    /** Storage and markers. */
    static final class StorageModule extends Explicit {
        StorageModule(Parts parts) {
            super(parts);
        }

        @Provides
        @Singleton
        Storage storage(Ids ids, Timers timers, GatewayEvents events) {
            Configuration c = parts.configuration();
            Storages storages = storages(parts, ids);
            UnaryOperator<Storage> shared = c.cluster().isPresent()
                    ? sharingTokens(parts)
                    : store -> SoleStorage.of(store, node(c, parts.home()), timers, ids, System::nanoTime);
            Primary primary = storages.primary(c.storage(), shared);
            Optional<Fallback> fallback = storages.fallback(c.storage());
            return parts.closer()
                    .add(
                            fallback.isEmpty()
                                    ? primary.open()
                                    : DegradingStorage.open(
                                            primary,
                                            fallback.get(),
                                            timers,
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
        AgentModule(Parts parts) {
            super(parts);
        }

        @Provides
        @Singleton
        AgentFactory agents(Ids ids, GatewayThreads threads, DeferredInspection inspection, MediaStore media) {
            return agent(parts, ids, threads, inspection, media);
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
        PlatformModule(Parts parts) {
            super(parts);
        }

        @Provides
        @Singleton
        Platforms platforms(
                Storage storage,
                Ids ids,
                GatewayThreads threads,
                GatewayEvents events,
                DeferredInspection inspection,
                Surfaces surfaces,
                MediaStore media) {
            Timing timing = new Timing(parts.clock(), threads, ids);
            Cursors cursors = new StoredCursors(storage, timing, threads.executor(), events);
            List<ChatPlatform> made = new ArrayList<>();
            wanted(parts)
                    .forEach((section, values) -> made.add(platform(
                            parts, section, values, surfaces.made(), ids, threads, inspection, cursors, media)));
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
        GatewayModule(Parts parts) {
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
                    .ifPresent(cluster -> builder.node(node(parts.configuration(), parts.home()), System::nanoTime));
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
    private static UnaryOperator<Storage> sharingTokens(Parts parts) {
        return store -> {
            if (wanted(parts).containsKey(HTTP)) {
                Optional<SharedTokens> tokens = store.cluster().map(SharedTokens::new);
                tokens.ifPresent(shared -> {
                    shared.adopt(GatewayClient.tokenFile(parts.home().path()));
                    shared.adopt(GatewayClient.readerTokenFile(parts.home().path()));
                });
            }
            return store;
        };
    }

    private static String version() {
        return Optional.ofNullable(GatewayWiring.class.getPackage().getImplementationVersion())
                .or(() -> Optional.ofNullable(GatewayWiring.class.getModule().getDescriptor())
                        .flatMap(ModuleDescriptor::rawVersion))
                .orElse("unknown");
    }

    /**
     * Returns how a gateway of a home is one of several. What decides keys and sessions must be the same at all nodes, or one person would
     * have several lanes.
     */
    public static NodeSettings node(Configuration c, HomeDirectory home) {
        SortedMap<String, String> agreed = new TreeMap<>();
        c.settings().stream()
                .filter(setting -> DECIDES.matcher(setting.path()).find())
                .forEach(setting -> agreed.put(setting.path(), setting.shown()));
        return new NodeSettings(
                c.cluster().map(ClusterConfiguration::name).orElse("gateway"),
                version(),
                ProcessSurroundings.machine() + ":" + home.path(),
                agreed,
                c.cluster().map(ClusterConfiguration::lease).orElse(NodeSettings.LEASE));
    }

    private static ProviderSettings settings(
            Parts parts,
            String path,
            Map<String, String> values,
            Ids ids,
            GatewayThreads threads,
            Executor executor,
            DeferredInspection inspection) {
        return ProviderSettings.builder(path, parts.home().path())
                .values(values)
                .environment(parts.environment())
                .clock(parts.clock())
                .ids(ids)
                .timers(threads)
                .executor(executor)
                .warnings(parts.warnings())
                .inspection(inspection)
                .build();
    }

    /** Looks into the gateway once it is there, and shows how it is configured. */
    private static DeferredInspection inspection(Parts parts) {
        DeferredInspection inspection = new DeferredInspection(
                parts.configuration().zone(),
                parts.configuration().settings().stream()
                        .map(setting ->
                                new GatewayInspection.ShownSetting(setting.path(), setting.shown(), setting.origin()))
                        .toList(),
                limit -> AuditFile.latest(parts.home().path(), limit));
        return parts.exports().map(inspection::exporting).orElse(inspection);
    }
}
