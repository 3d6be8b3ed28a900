package dev.parley.bootstrap.config;

import dev.parley.application.nodes.NodeSettings;
import dev.parley.application.settings.Agents;
import dev.parley.application.settings.Busy;
import dev.parley.application.settings.BusyMode;
import dev.parley.application.settings.Chat;
import dev.parley.application.settings.Delivery;
import dev.parley.application.settings.GatewaySettings;
import dev.parley.application.settings.Operation;
import dev.parley.application.settings.Recovery;
import dev.parley.application.settings.Retention;
import dev.parley.application.settings.Showing;
import dev.parley.application.settings.Turns;
import dev.parley.domain.context.HomeChannel;
import dev.parley.domain.key.Isolation;
import dev.parley.domain.reset.AppliedPolicy;
import dev.parley.domain.reset.ResetMode;
import dev.parley.domain.reset.ResetPolicies;
import dev.parley.domain.reset.ResetPolicy;
import dev.parley.domain.source.ChatType;
import dev.parley.domain.source.Platform;
import dev.parley.domain.source.Platforms;
import dev.parley.home.media.FileMedia;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.ZoneId;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.stream.Collectors;

/** Turns a document and the environment into a {@link Configuration}; finds all problems at once. */
public final class ConfigurationLoader {
    private static final Set<String> MODES = Set.of("none", "idle", "daily", "both");
    private static final List<String> CHAT_TYPES = List.of("dm", "group", "channel", "thread");
    private static final int MINUTES_MOST = 60 * 24 * 366 * 10;
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

    private static final Duration LONGEST = Duration.ofDays(3660);

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
        Isolation isolation =
                new Isolation(read.bool("group_sessions_per_user", true), read.bool("thread_sessions_per_user", false));
        ResetPolicies resets = resets(read);
        int maxAge = (int) Math.min(read.notNegative("session_store_max_age_days", 0), 36_500);
        boolean profiles = read.bool("multiplex_profiles", false);
        AgentConfiguration agent = agent(read);
        Duration freshness =
                atLeastZero(seconds(read, "agent.gateway_auto_continue_freshness", Recovery.DEFAULT.freshness()));
        Turns turns = Turns.DEFAULT
                .withTimeout(atLeastZero(seconds(read, "agent.gateway_timeout", Turns.DEFAULT.timeout())))
                .withStart(atLeastZero(seconds(read, "agent.gateway_start_timeout", Turns.DEFAULT.start())))
                .withWarning(atLeastZero(seconds(read, "agent.gateway_timeout_warning", Turns.DEFAULT.warning())))
                .withProgress(atLeastZero(seconds(read, "agent.gateway_notify_interval", Turns.DEFAULT.progress())))
                .withDrain(atLeastZero(seconds(read, "agent.restart_drain_timeout", Turns.DEFAULT.drain())));
        Recovery recovery = new Recovery(
                freshness,
                (int) read.wholeWithin("gateway.stuck_loop_threshold", Recovery.DEFAULT.stuckLoopThreshold(), 1, 1000),
                atLeastZero((int) read.wholeAsWritten(
                        "gateway.restart_loop_guard.max", Recovery.DEFAULT.bootLoopMax(), -1_000_000, 1_000_000)),
                Duration.ofSeconds(read.wholeAsWritten(
                        "gateway.restart_loop_guard.window_seconds",
                        Recovery.DEFAULT.bootLoopWithin().toSeconds(),
                        1,
                        86_400)));
        Duration followUps =
                atLeastZero(seconds(read, "gateway.telegram_follow_up_seconds", Busy.DEFAULT.followUpWindow()));
        String mode =
                read.word("display.busy_input_mode", word(Busy.DEFAULT.mode()), Set.of("interrupt", "queue", "steer"));
        String textMode = read.word("display.busy_text_mode", "", Set.of("interrupt", "queue"));
        boolean acknowledge = read.bool("display.busy_ack_enabled", Busy.DEFAULT.acknowledge());
        String detail = read.word("display.busy_ack_detail", "auto", Set.of("auto", "always", "never"));
        Optional<Integer> lanes = limitOfLanes(read);
        Busy busy = Busy.DEFAULT
                .withMode(mode(mode))
                .withTextMode(Optional.of(textMode).filter(m -> !m.isEmpty()).map(ConfigurationLoader::mode))
                .withAcknowledge(acknowledge)
                .withDetail(Busy.Detail.valueOf(detail.toUpperCase(Locale.ROOT)))
                .withFollowUpWindow(followUps)
                .withMaxPending((int) read.wholeWithin("gateway.max_pending", Busy.DEFAULT.maxPending(), 1, 10_000))
                .withMaxLanes(lanes);
        Delivery delivery = Delivery.DEFAULT
                .withLimit(Duration.ofHours(read.wholeWithin(
                        "gateway.delivery_limit_hours", Delivery.DEFAULT.limit().toHours(), 1, 24 * 366)))
                .withAtMostOnce(read.word("gateway.delivery", "at_least_once", Set.of("at_least_once", "at_most_once"))
                        .equals("at_most_once"));
        Retention retention = Retention.DEFAULT
                .withRows(Duration.ofDays(read.wholeWithin(
                        "gateway.retention_days", Retention.DEFAULT.rows().toDays(), 7, 36_500)))
                .withHistory(Optional.of(Duration.ofDays(read.wholeWithin(
                        "gateway.history_days",
                        Retention.DEFAULT.history().orElseThrow().toDays(),
                        1,
                        36_500))))
                .withLanes(Duration.ofDays(maxAge));
        Duration unresetWindow = Duration.ofMinutes(read.wholeWithin(
                "gateway.unreset_window_minutes", Chat.DEFAULT.unresetWindow().toMinutes(), 0, MINUTES_MOST));
        Agents agents = new Agents(
                (int) read.wholeWithin("gateway.agent_cache.size", Agents.DEFAULT.kept(), 1, 100_000),
                Duration.ofSeconds(read.wholeWithin(
                        "gateway.agent_cache.idle_seconds",
                        Agents.DEFAULT.idle().toSeconds(),
                        1,
                        31_536_000)));
        Retention watched = retention.withInterval(Duration.ofSeconds(read.wholeWithin(
                "gateway.watcher_interval_seconds", Retention.DEFAULT.interval().toSeconds(), 1, 86_400)));
        boolean shared = read.bool("cluster.enabled", false);
        StorageConfiguration storage = storage(read, shared);
        Map<String, PlatformConfiguration> sections = platforms(read);
        Chat chat = Chat.DEFAULT
                .withRedactIds(read.bool("privacy.redact_pii", Chat.DEFAULT.redactIds()))
                .withConfirmDestructive(
                        read.bool("approvals.destructive_slash_confirm", Chat.DEFAULT.confirmDestructive()))
                .withResetTriggers(read.texts("reset_triggers", Chat.DEFAULT.resetTriggers()))
                .withUnresetWindow(unresetWindow);
        return new Configuration(
                zone,
                isolation,
                profiles,
                agent,
                new GatewaySettings(
                        resets,
                        turns,
                        busy,
                        recovery,
                        operatorsChats(delivery, sections),
                        watched,
                        agents,
                        chat,
                        Operation.DEFAULT,
                        showing(read, sections)),
                storage,
                cluster(read, shared, storage),
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
                            values(read, path, extensionSettings.getOrDefault(name, Set.of()))));
        });
        return extensions;
    }

    /** What is shown of running turns, for each platform that has a section. */
    private static Map<Platform, Showing> showing(ConfigReader read, Map<String, PlatformConfiguration> sections) {
        Map<Platform, Showing> showing = new LinkedHashMap<>();
        sections.forEach((name, section) -> {
            String path = "platforms." + name;
            String previews = read.word(path + ".preview", "direct", Set.of("direct", "always", "never"));
            showing.put(
                    section.platform(),
                    new Showing(
                            read.bool(path + ".typing", Showing.DEFAULT.typing()),
                            Showing.Previews.valueOf(previews.toUpperCase(Locale.ROOT)),
                            read.bool(path + ".reactions", Showing.DEFAULT.reactions())));
        });
        return showing;
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
                observers.put(name, values(read, path, settings));
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

    private static Delivery operatorsChats(Delivery delivery, Map<String, PlatformConfiguration> sections) {
        return delivery.withHomeChannels(sections.values().stream()
                        .flatMap(p -> p.homeChannel().stream())
                        .sorted(Comparator.comparing(h -> h.platform().name()))
                        .toList())
                .withMuted(sections.values().stream()
                        .filter(p -> !p.restartNotification())
                        .map(PlatformConfiguration::platform)
                        .collect(Collectors.toSet()));
    }

    private static BusyMode mode(String word) {
        return BusyMode.valueOf(word.toUpperCase(Locale.ROOT));
    }

    private static String word(BusyMode mode) {
        return mode.name().toLowerCase(Locale.ROOT);
    }

    /** The limit stands at the top level, where it goes first, or in the section of the gateway. */
    private static Optional<Integer> limitOfLanes(ConfigReader read) {
        Optional<Integer> nested = read.positiveOrOff("gateway.max_concurrent_sessions");
        Optional<Integer> top = read.positiveOrOff("max_concurrent_sessions");
        return read.isGiven("max_concurrent_sessions") ? top : nested;
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

    private ResetPolicies resets(ConfigReader read) {
        ResetPolicy general = policy(read, "session_reset");
        general = fromVariables(read, general);
        Map<Platform, AppliedPolicy> byPlatform = new LinkedHashMap<>();
        Map<ChatType, ResetPolicy> byType = new LinkedHashMap<>();
        for (String type : read.namesIn("reset_by_type", Set.copyOf(CHAT_TYPES))) {
            String path = "reset_by_type." + type;
            if (!CHAT_TYPES.contains(type)) {
                read.know(path);
                read.warn(
                        path,
                        "\"" + type + "\" is not a chat type (" + String.join(", ", CHAT_TYPES)
                                + "); its policy is ignored");
            } else if (isPolicy(read, path)) {
                byType.put(new ChatType(type), policy(read, path));
            }
        }
        for (String name : read.namesIn("reset_by_platform", Set.of())) {
            putPolicy(read, byPlatform, name, "reset_by_platform." + name);
        }
        for (String name : read.namesIn("platforms", platformSections())) {
            String path = "platforms." + name + ".session_reset";
            if (read.hasSection(path)) {
                putPolicy(read, byPlatform, platformOf(name), path);
            }
        }
        return new ResetPolicies(general, byPlatform, byType);
    }

    private void putPolicy(ConfigReader read, Map<Platform, AppliedPolicy> byPlatform, String name, String path) {
        Optional<Platform> platform = platforms.find(name);
        if (platform.isEmpty()) {
            read.know(path);
            read.warn(
                    path,
                    "no platform is called \"" + name + "\"; its policy is ignored"
                            + ConfigReader.suggestion(name, names()));
        } else if (isPolicy(read, path)) {
            byPlatform.put(platform.get(), new AppliedPolicy(policy(read, path), path));
        }
    }

    private static boolean isPolicy(ConfigReader read, String path) {
        return read.hasSection(path);
    }

    /** A policy is read as a whole: what it does not say takes the built-in default, not the general policy (R6.8, F13.3). */
    private static ResetPolicy policy(ConfigReader read, String path) {
        ResetPolicy standard = ResetPolicy.DEFAULT;
        read.hasSection(path);
        String mode = read.word(path + ".mode", "both", MODES);
        return new ResetPolicy(
                ResetMode.valueOf(mode.toUpperCase(Locale.ROOT)),
                (int) read.wholeWithin(path + ".at_hour", standard.atHour(), 0, 23),
                Duration.ofMinutes(
                        read.wholeWithin(path + ".idle_minutes", standard.idle().toMinutes(), 1, MINUTES_MOST)),
                read.bool(path + ".notify", standard.notifyUser()),
                new LinkedHashSet<>(read.texts(
                        path + ".notify_exclude_platforms",
                        standard.notifyExcludePlatforms().stream().sorted().toList())),
                Duration.ofSeconds(
                        Math.max(0, Math.round(read.number(path + ".bg_process_max_age_hours", 24) * 3600))));
    }

    /** The two variables that override the general policy (F13.1); numbers that cannot be read are ignored. */
    private static ResetPolicy fromVariables(ConfigReader read, ResetPolicy general) {
        ResetPolicy policy = general;
        OptionalInt minutes = number(read.variableNamed("SESSION_IDLE_MINUTES"));
        if (minutes.isPresent() && minutes.getAsInt() > 0) {
            policy = policy.withIdle(Duration.ofMinutes(minutes.getAsInt()));
            read.override("session_reset.idle_minutes", minutes.getAsInt() + "", "environment SESSION_IDLE_MINUTES");
        }
        OptionalInt hour = number(read.variableNamed("SESSION_RESET_HOUR"));
        if (hour.isPresent() && hour.getAsInt() >= 0 && hour.getAsInt() < 24) {
            policy = policy.withAtHour(hour.getAsInt());
            read.override("session_reset.at_hour", hour.getAsInt() + "", "environment SESSION_RESET_HOUR");
        }
        return policy;
    }

    private static OptionalInt number(Optional<String> text) {
        try {
            return text.isPresent() ? OptionalInt.of(Integer.parseInt(text.get())) : OptionalInt.empty();
        } catch (NumberFormatException e) {
            return OptionalInt.empty();
        }
    }

    private AgentConfiguration agent(ConfigReader read) {
        String provider = read.text("agent.provider").orElse("echo");
        read.override("agent.provider", provider, originOf(read, "agent.provider"));
        if (!agentSettings.containsKey(provider)) {
            read.error(
                    "agent.provider",
                    "there is no agent \"" + provider + "\"; there are "
                            + agentSettings.keySet().stream().sorted().collect(Collectors.joining(", "))
                            + ConfigReader.suggestion(provider, agentSettings.keySet()));
        }
        Map<String, String> settings = Map.of();
        for (Map.Entry<String, Set<String>> known : agentSettings.entrySet()) {
            Map<String, String> values = values(read, "agents." + known.getKey(), known.getValue());
            if (known.getKey().equals(provider)) {
                settings = values;
            }
        }
        return new AgentConfiguration(provider, settings);
    }

    private StorageConfiguration storage(ConfigReader read, boolean shared) {
        String url = read.text("storage.url").orElse("sqlite:state.db");
        read.override("storage.url", url, originOf(read, "storage.url"));
        checkAddress(read, "storage.url", url);
        Optional<String> fallback = read.text("storage.fallback");
        String effective = fallback.orElse(shared ? "none" : "jsonl:spill");
        read.override("storage.fallback", effective, originOf(read, "storage.fallback"));
        boolean off = effective.equalsIgnoreCase("none") || effective.equalsIgnoreCase("off");
        if (!off) {
            checkAddress(read, "storage.fallback", effective);
            if (isSameAddress(url, effective)) {
                read.error(
                        "storage.fallback",
                        "storage.fallback is \"" + effective
                                + "\", the storage itself, which cannot stand in for itself; name another, or none");
            }
        }
        // These have settings of their own: the mirror under the name it has elsewhere, the patience for the gateway
        // alone.
        Set<String> options = storageOptions.getOrDefault(scheme(url), Set.of()).stream()
                .filter(name -> !name.equals("write_sessions_json") && !name.equals("busy_patience_ms"))
                .collect(Collectors.toSet());
        return new StorageConfiguration(
                url,
                off ? Optional.empty() : Optional.of(effective),
                Duration.ofSeconds(read.wholeWithin("storage.busy_patience", 3, 0, 3_600)),
                values(read, "storage.options", options));
    }

    /** With more than one node none may go on alone: others would take its lanes, and two agents would answer one person. */
    private static Optional<ClusterConfiguration> cluster(
            ConfigReader read, boolean shared, StorageConfiguration storage) {
        String name = read.text("cluster.name").orElse("node");
        read.override("cluster.name", name, originOf(read, "cluster.name"));
        ClusterConfiguration cluster = new ClusterConfiguration(
                name,
                Duration.ofSeconds(read.wholeWithin("cluster.lease_seconds", NodeSettings.LEASE.toSeconds(), 2, 60)));
        if (!shared) {
            return Optional.empty();
        }
        if (!scheme(storage.url()).equals("postgres")) {
            read.error(
                    "storage.url",
                    "the storage \"" + storage.url() + "\" serves one gateway only; with cluster.enabled it is a"
                            + " postgres: address that all nodes have");
        }
        if (storage.fallback().isPresent()) {
            read.error(
                    "storage.fallback",
                    "storage.fallback must be none with cluster.enabled: a node that goes on alone while it does not reach"
                            + " the database would answer people whom another node answers too");
        }
        return Optional.of(cluster);
    }

    private void checkAddress(ConfigReader read, String path, String url) {
        if (!storageOptions.containsKey(scheme(url))) {
            read.error(
                    path,
                    "\"" + url + "\" names no storage that is here; write SCHEME:ADDRESS with one of "
                            + storageOptions.keySet().stream().sorted().collect(Collectors.joining(", ")));
        }
    }

    private static boolean isSameAddress(String one, String other) {
        return scheme(one).equals(scheme(other)) && address(one).equals(address(other));
    }

    private static String address(String url) {
        String address = url.substring(url.indexOf(':') + 1);
        try {
            return Path.of(address).normalize().toString();
        } catch (InvalidPathException e) {
            return address;
        }
    }

    private static String scheme(String url) {
        int colon = url.indexOf(':');
        return colon < 0 ? "" : url.substring(0, colon);
    }

    private Map<String, PlatformConfiguration> platforms(ConfigReader read) {
        Map<String, PlatformConfiguration> sections = new LinkedHashMap<>();
        for (String name : read.namesIn("platforms", platformSections())) {
            String path = "platforms." + name;
            if (!platformSections().contains(name)) {
                read.know(path);
                read.error(
                        path,
                        "no platform is called \"" + name + "\"" + ConfigReader.suggestion(name, platformSections()));
            } else if (read.isList(path)) {
                read.know(path);
                read.error(
                        path,
                        path + " is a list; a gateway has one account of each platform: write its settings right below "
                                + path + ", and give another account a gateway with a home of its own");
            } else if (read.hasSection(path)) {
                sections.put(name, platform(read, name, path));
            }
        }
        return sections;
    }

    private PlatformConfiguration platform(ConfigReader read, String name, String path) {
        String enabled = read.word(path + ".enabled", "", Set.of("true", "false", "yes", "no", "on", "off", "1", "0"));
        boolean on = Set.of("true", "yes", "on", "1").contains(enabled);
        if (on && !platformSettings.containsKey(name)) {
            // Which settings it has only the adapter knows.
            read.know(path);
            read.error(
                    path + ".enabled",
                    "there is no adapter for " + name + "; put its jar into plugins/, or set " + path
                            + ".enabled to false");
        }
        Optional<HomeChannel> home = homeChannel(read, platformOf(name), path + ".home_channel");
        List<String> allow = read.texts(path + ".allow", List.of());
        List<String> admins = read.texts(path + ".allow_admin_from", List.of());
        boolean notification = read.bool(path + ".gateway_restart_notification", true);
        return new PlatformConfiguration(
                name,
                Platform.of(platformOf(name)),
                enabled.isEmpty() ? Optional.empty() : Optional.of(on),
                home,
                allow,
                read.bool(path + ".pairing", false),
                admins,
                notification,
                values(read, path, platformSettings.getOrDefault(name, Set.of())));
    }

    /** A home channel is a chat id, or a section with chat_id, name and thread_id. */
    private Optional<HomeChannel> homeChannel(ConfigReader read, String platform, String path) {
        Optional<String> chat;
        Optional<String> name = Optional.empty();
        Optional<String> thread = Optional.empty();
        if (read.isSection(path)) {
            chat = read.text(path + ".chat_id");
            name = read.text(path + ".name");
            thread = read.text(path + ".thread_id");
            if (chat.isEmpty()) {
                read.error(path, path + ".chat_id is missing; write the chat that the operator reads");
            }
        } else {
            chat = read.text(path);
        }
        Optional<String> channelName = name;
        Optional<String> channelThread = thread;
        return chat.map(c -> new HomeChannel(Platform.of(platform), c, channelName, channelThread));
    }

    /** Reads an adapter's own settings; a name ending in {@code .*} means everything below it, and a list is a line for each item. */
    private static Map<String, String> values(ConfigReader read, String path, Set<String> names) {
        Map<String, String> values = new LinkedHashMap<>();
        for (String name : names.stream().sorted().toList()) {
            if (name.endsWith(".*")) {
                String below = name.substring(0, name.length() - 2);
                read.know(path + "." + below);
                read.valuesBelow(path + "." + below).forEach((n, v) -> values.put(below + "." + n, v));
            } else {
                List<String> texts = read.texts(path + "." + name, List.of());
                if (!texts.isEmpty()) {
                    values.put(name, String.join("\n", texts));
                }
            }
        }
        return values;
    }

    private Set<String> names() {
        return platforms.all().stream().map(Platform::name).collect(Collectors.toSet());
    }

    /** The names that may stand under {@code platforms}: those of platforms, and the sections of adapters. */
    private Set<String> platformSections() {
        Set<String> sections = new LinkedHashSet<>(names());
        sections.addAll(platformSettings.keySet());
        return sections;
    }

    /** The platform behind a section; the adapter of the generic webhook has its settings under {@code platforms.http}. */
    private static String platformOf(String section) {
        return section.equals("http") ? Platform.WEBHOOK.name() : section;
    }

    private static String originOf(ConfigReader read, String path) {
        return read.settings().stream()
                .filter(s -> s.path().equals(path))
                .findFirst()
                .map(Setting::origin)
                .orElse("default");
    }

    private static Duration seconds(ConfigReader read, String path, Duration byDefault) {
        double value = read.number(path, (double) byDefault.toSeconds());
        double most = (double) LONGEST.toSeconds();
        return Duration.ofMillis(Math.round(Math.max(-1, Math.min(most, value)) * 1000));
    }

    private static int atLeastZero(int number) {
        return Math.max(0, number);
    }

    private static Duration atLeastZero(Duration duration) {
        return duration.isNegative() ? Duration.ZERO : duration;
    }
}
