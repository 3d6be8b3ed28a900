package dev.parley.bootstrap.config;

import dev.parley.domain.key.Isolation;
import dev.parley.domain.reset.ResetPolicies;
import dev.parley.domain.source.Platforms;
import dev.parley.home.media.FileMedia;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.ZoneId;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** Turns a document and the environment into a {@link Configuration}; finds all problems at once. */
public final class ConfigurationLoader {
    /** Sections that are nothing but their settings; a value in the place of one is told, and the defaults hold (F13.2). */
    private static final List<String> SECTIONS = List.of(
            "agent",
            "gateway",
            "gateway.restart_loop_guard",
            "gateway.agent_cache",
            "cluster",
            "display",
            "approvals",
            "privacy",
            "media",
            "plugins");

    private final Platforms platforms;
    private final Map<String, Set<String>> platformSettings;
    private final Map<String, Set<String>> agentSettings;
    private final Map<String, Set<String>> storageOptions;
    private final Map<String, Set<String>> extensionSettings;
    private final Map<String, Set<String>> observerSettings;
    private final ZoneId systemZone;

    /**
     * A loader that knows these platforms and providers.
     *
     * @param platforms the names that may stand under {@code platforms}
     * @param platformSettings the settings of each adapter, by the name of its section
     * @param agentSettings the settings of each agent provider, by its name
     * @param storageOptions the options of each storage backend, by its scheme
     * @param extensionSettings the settings of what extends the gateway, by the name of its section
     * @param observerSettings the settings of each observer, by its name
     * @param systemZone the zone where none is configured
     */
    public ConfigurationLoader(
            Platforms platforms,
            Map<String, Set<String>> platformSettings,
            Map<String, Set<String>> agentSettings,
            Map<String, Set<String>> storageOptions,
            Map<String, Set<String>> extensionSettings,
            Map<String, Set<String>> observerSettings,
            ZoneId systemZone) {
        this.platforms = platforms;
        this.platformSettings = Map.copyOf(platformSettings);
        this.agentSettings = Map.copyOf(agentSettings);
        this.storageOptions = Map.copyOf(storageOptions);
        this.extensionSettings = Map.copyOf(extensionSettings);
        this.observerSettings = Map.copyOf(observerSettings);
        this.systemZone = systemZone;
    }

    /**
     * A configuration and what is wrong with it.
     *
     * @param configuration what can be made of it; to be used only where no problem is an error
     * @param problems all problems
     */
    public record Loaded(Configuration configuration, List<ConfigProblem> problems) {
        public Loaded {
            problems = List.copyOf(problems);
        }

        /** Returns the problems that stop the start. */
        public List<ConfigProblem> errors() {
            return problems.stream()
                    .filter(p -> p.severity() == ConfigProblem.Severity.ERROR)
                    .toList();
        }
    }

    /**
     * Reads the file, where there is one, and the environment.
     *
     * @throws dev.parley.application.port.InvalidRequest where the file is not YAML
     */
    public Loaded load(Optional<Path> file, Map<String, String> environment) {
        return load(file.map(ConfigDocument::read).orElseGet(ConfigDocument::none), environment);
    }

    /**
     * Reads a configuration given as JSON; the environment is not read.
     *
     * @throws dev.parley.application.port.InvalidRequest where it is not JSON
     */
    public Loaded loadJson(String json, String name) {
        return load(ConfigDocument.ofJson(json, name), Map.of());
    }

    private Loaded load(ConfigDocument document, Map<String, String> environment) {
        ConfigReader read = new ConfigReader(document, environment);
        Configuration configuration = read(read);
        return new Loaded(configuration, read.problems());
    }

    private Configuration read(ConfigReader read) {
        SECTIONS.forEach(read::hasSection);
        ZoneId zone = zone(read);
        Isolation isolation = new Isolation(
                read.bool("group_sessions_per_user", Isolation.DEFAULT.groupSessionsPerUser()),
                read.bool("thread_sessions_per_user", Isolation.DEFAULT.threadSessionsPerUser()));
        PlatformSections platformSections = new PlatformSections(read, platforms, platformSettings);
        ResetPolicies resets = new ResetSections(read, platforms, platformSections.names()).policies();
        boolean profiles = read.bool("multiplex_profiles", false);
        AgentConfiguration agent = agent(read);
        boolean shared = read.bool("cluster.enabled", false);
        StorageSections storages = new StorageSections(read, storageOptions);
        StorageConfiguration storage = storages.storage(shared);
        Map<String, PlatformConfiguration> sections = platformSections.sections();
        return new Configuration(
                zone,
                isolation,
                profiles,
                agent,
                new GatewaySections(read, sections).settings(resets),
                storage,
                storages.cluster(shared, storage),
                read.bool("write_sessions_json", true),
                sections,
                observers(read),
                media(read),
                extensions(read),
                read.word("plugins.on_error", "stop", Set.of("stop", "warn")).equals("stop"),
                read.settings());
    }

    private Map<String, ExtensionConfiguration> extensions(ConfigReader read) {
        Map<String, ExtensionConfiguration> extensions = new LinkedHashMap<>();
        extensionSettings.keySet().stream().sorted().forEach(name -> {
            String path = "plugins." + name;
            read.hasSection(path);
            extensions.put(
                    name,
                    new ExtensionConfiguration(
                            read.bool(path + ".enabled", true),
                            read.valuesOf(path, extensionSettings.getOrDefault(name, Set.of()))));
        });
        return extensions;
    }

    private Map<String, Map<String, String>> observers(ConfigReader read) {
        Map<String, Map<String, String>> observers = new LinkedHashMap<>();
        for (String name : read.namesIn("observers", observerSettings.keySet())) {
            String path = "observers." + name;
            Set<String> settings = observerSettings.get(name);
            if (settings == null) {
                read.know(path);
                read.error(
                        path,
                        "no observer is called \"" + name + "\""
                                + ConfigReader.suggestion(name, observerSettings.keySet()));
            } else if (read.hasSection(path)) {
                observers.put(name, read.valuesOf(path, settings));
            }
        }
        return observers;
    }

    private static FileMedia.Limits media(ConfigReader read) {
        FileMedia.Limits standard = FileMedia.Limits.DEFAULT;
        return new FileMedia.Limits(
                read.wholeWithin("media.max_file_bytes", standard.largest(), 1024, 4_000_000_000L),
                read.wholeWithin("media.max_total_bytes", standard.total(), 1024, Long.MAX_VALUE / 2),
                Duration.ofDays(
                        read.wholeWithin("media.retention_days", standard.keep().toDays(), 1, 36_500)));
    }

    private ZoneId zone(ConfigReader read) {
        Optional<String> name = read.text("zone");
        if (name.isEmpty()) {
            read.override("zone", systemZone.getId(), "default (the system's zone)");
            return systemZone;
        }
        try {
            return ZoneId.of(name.get());
        } catch (DateTimeException e) {
            read.error(
                    "zone",
                    "zone \"" + name.get() + "\" is not a time zone"
                            + ConfigReader.suggestion(name.get(), ZoneId.getAvailableZoneIds()));
            return systemZone;
        }
    }

    private AgentConfiguration agent(ConfigReader read) {
        String provider = read.text("agent.provider").orElse("echo");
        read.override("agent.provider", provider, read.originOf("agent.provider"));
        if (!agentSettings.containsKey(provider)) {
            read.error(
                    "agent.provider",
                    "there is no agent \"" + provider + "\"; there are "
                            + agentSettings.keySet().stream().sorted().collect(Collectors.joining(", "))
                            + ConfigReader.suggestion(provider, agentSettings.keySet()));
        }
        Map<String, String> settings = Map.of();
        for (Map.Entry<String, Set<String>> known : agentSettings.entrySet()) {
            Map<String, String> values = read.valuesOf("agents." + known.getKey(), known.getValue());
            if (known.getKey().equals(provider)) {
                settings = values;
            }
        }
        return new AgentConfiguration(provider, settings);
    }
}
