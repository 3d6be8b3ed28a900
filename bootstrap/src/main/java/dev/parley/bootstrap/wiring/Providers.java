package dev.parley.bootstrap.wiring;

import dev.parley.application.command.CommandsProvider;
import dev.parley.application.port.InvalidRequest;
import dev.parley.application.spi.AgentProvider;
import dev.parley.application.spi.AuthorizationProvider;
import dev.parley.application.spi.EventsProvider;
import dev.parley.application.spi.ExtensionProvider;
import dev.parley.application.spi.HooksProvider;
import dev.parley.application.spi.LaneFileReader;
import dev.parley.application.spi.ObserverProvider;
import dev.parley.application.spi.PlatformProvider;
import dev.parley.application.spi.StorageProvider;
import dev.parley.application.spi.TranscriptFileReader;
import dev.parley.application.spi.WebSurfaceProvider;
import dev.parley.domain.change.Change;
import dev.parley.domain.source.Platforms;
import java.io.IOException;
import java.lang.module.Configuration;
import java.lang.module.FindException;
import java.lang.module.ModuleFinder;
import java.lang.module.ModuleReference;
import java.lang.module.ResolutionException;
import java.net.URI;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.CodeSource;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The backends, platforms, agents and extensions there are: those of this build, and those of the jars in {@code plugins/}, each jar in a
 * module layer of its own.
 */
public final class Providers {
    private static final String REMEDY =
            "); replace it with one made for this release, put it into a directory in plugins/ with the libraries"
                    + " it needs, or remove it.";

    private static final int MOST_FAILURES = 100;
    private static final Pattern NAME = Pattern.compile("[a-z0-9][a-z0-9_-]*");
    private static final List<Class<? extends ExtensionProvider<?>>> EXTENSIONS =
            List.of(CommandsProvider.class, HooksProvider.class, EventsProvider.class, AuthorizationProvider.class);

    private final Map<String, StorageProvider> storages;
    private final Map<String, PlatformProvider> platforms;
    private final Map<String, AgentProvider> agents;
    private final Map<String, WebSurfaceProvider> surfaces;
    private final Map<String, List<ExtensionProvider<?>>> extensions;
    private final Map<String, ObserverProvider> observers;
    private final Optional<TranscriptFileReader> transcriptFiles;
    private final Optional<LaneFileReader> laneFiles;
    private final List<String> problems;

    private Providers(
            Map<String, StorageProvider> storages,
            Map<String, PlatformProvider> platforms,
            Map<String, AgentProvider> agents,
            Map<String, WebSurfaceProvider> surfaces,
            Map<String, List<ExtensionProvider<?>>> extensions,
            Map<String, ObserverProvider> observers,
            Optional<TranscriptFileReader> transcriptFiles,
            Optional<LaneFileReader> laneFiles,
            List<String> problems) {
        this.storages = storages;
        this.platforms = platforms;
        this.agents = agents;
        this.surfaces = surfaces;
        this.extensions = extensions;
        this.observers = observers;
        this.transcriptFiles = transcriptFiles;
        this.laneFiles = laneFiles;
        this.problems = problems;
    }

    /**
     * Finds all providers.
     *
     * @param plugins the directory of plug-ins; need not exist
     * @throws InvalidRequest where two providers have one name
     */
    public static Providers find(Path plugins) {
        List<String> problems = new ArrayList<>();
        List<ModuleLayer> layers = new ArrayList<>();
        for (Path plugin : jars(plugins, problems)) {
            layer(plugin, problems).ifPresent(layers::add);
        }
        List<StorageProvider> storages =
                load(StorageProvider.class, layers, problems, each -> List.of(each.scheme(), each.options()));
        List<PlatformProvider> platforms = load(
                PlatformProvider.class,
                layers,
                problems,
                each -> List.of(each.name(), each.section(), each.settings()));
        List<AgentProvider> agents =
                load(AgentProvider.class, layers, problems, each -> List.of(each.name(), each.settings()));
        List<WebSurfaceProvider> surfaces =
                load(WebSurfaceProvider.class, layers, problems, each -> List.of(each.name()));
        List<ObserverProvider> observers =
                load(ObserverProvider.class, layers, problems, each -> List.of(each.name(), each.settings()));
        for (StorageProvider storage : List.copyOf(storages)) {
            if (storage.changeVersion() != Change.VERSION) {
                problems.add("The storage " + storage.scheme() + " was made for version " + storage.changeVersion()
                        + " of the changes, this is version " + Change.VERSION + "; use the release that fits.");
                storages.remove(storage);
            }
        }
        return new Providers(
                named(storages, StorageProvider::scheme, "storage"),
                named(platforms, PlatformProvider::section, "platform"),
                named(agents, AgentProvider::name, "agent"),
                named(surfaces, WebSurfaceProvider::name, "web surface"),
                extensions(layers, problems),
                named(observers, ObserverProvider::name, "observer"),
                load(TranscriptFileReader.class, List.of(), problems, each -> true).stream()
                        .findFirst(),
                load(LaneFileReader.class, List.of(), problems, each -> true).stream()
                        .findFirst(),
                List.copyOf(problems));
    }

    /** Those of several kinds may share a name; those of one kind may not. */
    private static Map<String, List<ExtensionProvider<?>>> extensions(List<ModuleLayer> layers, List<String> problems) {
        Map<String, List<ExtensionProvider<?>>> byName = new TreeMap<>();
        for (Class<? extends ExtensionProvider<?>> kind : EXTENSIONS) {
            List<ExtensionProvider<?>> found = new ArrayList<>(
                    load(kind, layers, problems, each -> List.of(each.name(), Set.copyOf(each.settings()))));
            for (ExtensionProvider<?> each : List.copyOf(found)) {
                if (!NAME.matcher(each.name()).matches() || each.name().equals("on_error")) {
                    problems.add("The plug-in" + origin(each.getClass()) + " calls a " + kind.getSimpleName() + " \""
                            + each.name() + "\", which cannot be the name of a section; use one made for this release,"
                            + " or remove it.");
                    found.remove(each);
                }
            }
            named(found, ExtensionProvider::name, kind.getSimpleName())
                    .forEach((name, each) -> byName.computeIfAbsent(name, unused -> new ArrayList<>())
                            .add(each));
        }
        return byName;
    }

    /** Returns one line for each plug-in that could not be loaded. */
    public List<String> problems() {
        return problems;
    }

    /** Returns the storage backend with this scheme, or says which there are. */
    public StorageProvider storage(String scheme) {
        return Optional.ofNullable(storages.get(scheme))
                .orElseThrow(() -> new InvalidRequest("There is no storage \"" + scheme + "\"; there are "
                        + String.join(", ", storages.keySet()) + "."));
    }

    /** Returns the platform adapters by the name of their section. */
    public Map<String, PlatformProvider> platforms() {
        return platforms;
    }

    /** Returns what the web server can show beside its own, by name. */
    public Map<String, WebSurfaceProvider> surfaces() {
        return surfaces;
    }

    /** Returns what extends the gateway, by the name of its section: providers of commands, hooks, events and authorizations. */
    public Map<String, List<ExtensionProvider<?>>> extensions() {
        return extensions;
    }

    /** Returns the settings of what extends the gateway, by the name of its section. */
    public Map<String, Set<String>> extensionSettings() {
        return extensions.entrySet().stream()
                .collect(Collectors.toMap(
                        Map.Entry::getKey,
                        e -> e.getValue().stream()
                                .flatMap(each -> each.settings().stream())
                                .collect(Collectors.toCollection(TreeSet::new))));
    }

    /** Returns what passes on what a gateway does, by name. */
    public Map<String, ObserverProvider> observers() {
        return observers;
    }

    /** Returns the agent with this name, or says which there are. */
    public AgentProvider agent(String name) {
        return Optional.ofNullable(agents.get(name))
                .orElseThrow(() -> new InvalidRequest(
                        "There is no agent \"" + name + "\"; there are " + String.join(", ", agents.keySet()) + "."));
    }

    /** Returns what reads a single transcript file, where this build has it. */
    public Optional<TranscriptFileReader> transcriptFiles() {
        return transcriptFiles;
    }

    /** Returns what reads a single file of lanes, where this build has it. */
    public Optional<LaneFileReader> laneFiles() {
        return laneFiles;
    }

    /** Returns the names of platforms: the built-in ones, and those that adapters bring. */
    public Platforms platformNames() {
        return Platforms.builtIn()
                .plus(platforms.values().stream().map(PlatformProvider::name).toList());
    }

    /** Returns the settings of each platform adapter, by the name of its section. */
    public Map<String, Set<String>> platformSettings() {
        return settings(platforms, PlatformProvider::settings);
    }

    /** Returns the settings of each agent, by its name. */
    public Map<String, Set<String>> agentSettings() {
        return settings(agents, AgentProvider::settings);
    }

    /** Returns the settings of each observer, by its name. */
    public Map<String, Set<String>> observerSettings() {
        return settings(observers, ObserverProvider::settings);
    }

    /** Returns the options of each storage backend, by its scheme. */
    public Map<String, Set<String>> storageOptions() {
        return settings(storages, StorageProvider::options);
    }

    private static <T> Map<String, Set<String>> settings(Map<String, T> providers, Function<T, Set<String>> settings) {
        return providers.entrySet().stream()
                .collect(Collectors.toMap(Map.Entry::getKey, e -> new TreeSet<>(settings.apply(e.getValue()))));
    }

    /** Returns each plug-in: a jar, or a directory that holds a jar and what it needs. */
    private static List<Path> jars(Path plugins, List<String> problems) {
        List<Path> found = new ArrayList<>();
        if (!Files.isDirectory(plugins)) {
            return found;
        }
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(plugins)) {
            for (Path entry : entries) {
                if (!Files.exists(entry)) {
                    problems.add("The plug-in " + entry
                            + " is a link that leads nowhere; put the plug-in there, or remove" + " the link.");
                } else if (Files.isDirectory(entry) || entry.toString().endsWith(".jar")) {
                    found.add(entry);
                }
            }
        } catch (IOException e) {
            problems.add("The plug-ins in " + plugins + " cannot be listed (" + e.getMessage()
                    + "); check the directory's permissions.");
        }
        found.sort(null);
        return found;
    }

    private static Optional<ModuleLayer> layer(Path plugin, List<String> problems) {
        ModuleLayer parent =
                Optional.ofNullable(Providers.class.getModule().getLayer()).orElse(ModuleLayer.boot());
        try {
            ModuleFinder finder = ModuleFinder.of(plugin);
            Set<String> roots = finder.findAll().stream()
                    .map(ModuleReference::descriptor)
                    .map(d -> d.name())
                    .collect(Collectors.toCollection(TreeSet::new));
            Configuration configuration = parent.configuration().resolveAndBind(finder, ModuleFinder.of(), roots);
            return Optional.of(parent.defineModulesWithOneLoader(configuration, Providers.class.getClassLoader()));
        } catch (FindException | ResolutionException | LayerInstantiationException | IllegalArgumentException e) {
            problems.add("The plug-in " + plugin + " cannot be loaded (" + oneLine(e) + REMEDY);
            return Optional.empty();
        }
    }

    /** Returns the providers that can be made and that answer what they are {@code asked}; each other one is a problem. */
    private static <T> List<T> load(
            Class<T> service, List<ModuleLayer> layers, List<String> problems, Function<? super T, ?> asked) {
        List<T> found = new ArrayList<>();
        Set<Class<?>> seen = new HashSet<>();
        Stream<ServiceLoader<T>> loaders =
                Stream.concat(Stream.of(loader(service)), layers.stream().map(layer -> loader(service, layer)));
        loaders.forEach(loader -> {
            Iterator<ServiceLoader.Provider<T>> providers = loader.stream().iterator();
            int failures = 0;
            while (failures < MOST_FAILURES) {
                String from = "";
                try {
                    if (!providers.hasNext()) {
                        return;
                    }
                    ServiceLoader.Provider<T> provider = providers.next();
                    from = origin(provider.type());
                    if (seen.add(provider.type())) {
                        T made = provider.get();
                        var unused = asked.apply(made);
                        found.add(made);
                    }
                } catch (Throwable e) {
                    failures++;
                    problems.add("The " + service.getSimpleName() + " of a plug-in" + from + " cannot be loaded ("
                            + oneLine(e) + REMEDY);
                }
            }
        });
        return found;
    }

    /** Returns where a class of a plug-in comes from, for messages; empty where that is not known. */
    private static String origin(Class<?> type) {
        return Optional.ofNullable(type.getProtectionDomain().getCodeSource())
                .map(CodeSource::getLocation)
                .map(location -> " in " + Path.of(URI.create(location.toString())))
                .orElse("");
    }

    private static <T> ServiceLoader<T> loader(Class<T> service) {
        ModuleLayer own = Providers.class.getModule().getLayer();
        return own == null ? ServiceLoader.load(service) : ServiceLoader.load(own, service);
    }

    private static <T> ServiceLoader<T> loader(Class<T> service, ModuleLayer layer) {
        return ServiceLoader.load(layer, service);
    }

    private static <T> Map<String, T> named(List<T> providers, Function<T, String> name, String kind) {
        Map<String, T> byName = new TreeMap<>();
        for (T provider : providers) {
            T other = byName.putIfAbsent(name.apply(provider), provider);
            if (other != null) {
                throw new InvalidRequest("There are two providers of the " + kind + " \"" + name.apply(provider)
                        + "\": " + other.getClass().getName() + " and "
                        + provider.getClass().getName() + "; remove one from plugins/. Found: "
                        + new LinkedHashMap<>(byName).keySet() + ".");
            }
        }
        return byName;
    }

    /** A loader that could not make a provider tells only its cause what was missing. */
    private static String oneLine(Throwable e) {
        String message = Optional.ofNullable(e.getMessage()).orElse(e.getClass().getSimpleName());
        String line = message.strip().split("\\R", 2)[0];
        return e instanceof ServiceConfigurationError && e.getCause() != null
                ? line + ": " + e.getCause().toString().split("\\R", 2)[0]
                : line;
    }
}
