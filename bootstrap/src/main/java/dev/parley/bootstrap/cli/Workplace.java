package dev.parley.bootstrap.cli;

import com.fasterxml.jackson.databind.JsonNode;
import dev.parley.adapter.http.GatewayClient;
import dev.parley.application.port.InvalidRequest;
import dev.parley.application.port.ParleyException;
import dev.parley.application.port.StorageUnavailable;
import dev.parley.application.spi.ComposedStorage;
import dev.parley.application.spi.Storage;
import dev.parley.application.spi.StorageParts;
import dev.parley.application.spi.StorageSettings.Mode;
import dev.parley.bootstrap.config.ConfigProblem;
import dev.parley.bootstrap.config.Configuration;
import dev.parley.bootstrap.config.ConfigurationLoader;
import dev.parley.bootstrap.config.StorageConfiguration;
import dev.parley.bootstrap.json.Json;
import dev.parley.bootstrap.json.MalformedJson;
import dev.parley.bootstrap.wiring.ProcessSurroundings;
import dev.parley.bootstrap.wiring.Providers;
import dev.parley.bootstrap.wiring.Storages;
import dev.parley.domain.key.SessionKey;
import dev.parley.home.GatewayLock;
import dev.parley.home.GatewayThreads;
import dev.parley.home.HomeDirectory;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** What every command works with: the home, the configuration, storage, and where output goes. Made lazily, used once. */
final class Workplace {
    private static final String CONFIG_VARIABLE = "PARLEY_CONFIG";
    private static final String REPAIR_SCHEMA = "repair_schema";
    private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm");

    private final Surroundings around;
    private final HomeDirectory home;
    private final Optional<Path> configFile;
    private final String configNamedBy;
    private final Consumer<String> warnings;
    private @Nullable Providers providers;
    private @Nullable Configuration configuration;
    private @Nullable Storage shared;

    Workplace(Surroundings around, Optional<Path> home, Optional<Path> config) {
        this.around = around;
        this.home = HomeDirectory.of(home, around.environment(), around.userHome());
        this.configNamedBy = config.isPresent() ? "--config" : CONFIG_VARIABLE;
        this.configFile =
                config.or(() -> Optional.ofNullable(around.environment().get(CONFIG_VARIABLE))
                        .filter(v -> !v.isBlank())
                        .map(Path::of));
        this.warnings = warning -> note("warning: " + warning);
    }

    private Workplace(Workplace other, Consumer<String> warnings) {
        this.around = other.around;
        this.home = other.home;
        this.configFile = other.configFile;
        this.configNamedBy = other.configNamedBy;
        this.warnings = warnings;
    }

    /** Returns this workplace for a command that warns the operator elsewhere. */
    Workplace warning(Consumer<String> elsewhere) {
        return new Workplace(this, elsewhere);
    }

    /** Returns this workplace for a command that says what it says elsewhere, and reads a storage that is open and stays so. */
    Workplace reading(Storage open, Surroundings elsewhere) {
        Workplace other = new Workplace(elsewhere, Optional.of(home.path()), configFile);
        other.providers = providers();
        other.configuration = configuration();
        other.shared = open;
        return other;
    }

    Surroundings around() {
        return around;
    }

    HomeDirectory home() {
        return home;
    }

    PrintStream out() {
        return around.out();
    }

    PrintStream err() {
        return around.err();
    }

    /** Prints a row or a list of rows as JSON. */
    void json(@Nullable Object rows) {
        out().println(Json.pretty(rows));
    }

    /** Prints a note for people. */
    void note(String text) {
        err().println(text);
    }

    /** Warns the operator: on standard error, unless {@link #warning} said otherwise. */
    void warn(String warning) {
        warnings.accept(warning);
    }

    /** Returns a time as people read it, in the configured zone. */
    String when(Instant instant) {
        return TIME.format(instant.atZone(configuration().zone()));
    }

    Providers providers() {
        Providers found = providers;
        if (found == null) {
            found = Providers.find(home.plugins());
            providers = found;
        }
        return found;
    }

    ConfigurationLoader loader() {
        Providers p = providers();
        return new ConfigurationLoader(
                p.platformNames(),
                p.platformSettings(),
                p.agentSettings(),
                p.storageOptions(),
                p.extensionSettings(),
                p.observerSettings(),
                around.zone());
    }

    /** Returns the configuration file that is used, where there is one. */
    Optional<Path> configFile() {
        if (configFile.isPresent()) {
            if (!Files.isRegularFile(configFile.get())) {
                throw new InvalidRequest(
                        "The configuration " + configFile.get() + " is not there; check " + configNamedBy + ".");
            }
            return configFile;
        }
        return Optional.of(home.configFile()).filter(Files::exists);
    }

    ConfigurationLoader.Loaded load() {
        return loader().load(configFile(), around.environment());
    }

    /** Returns the configuration; warnings are printed once, errors stop the command with all of them. */
    Configuration configuration() {
        Configuration known = configuration;
        if (known == null) {
            ConfigurationLoader.Loaded loaded = load();
            known = require(loaded);
            for (ConfigProblem problem : loaded.problems()) {
                warn(problem.text());
            }
            configuration = known;
        }
        return known;
    }

    /** A plug-in that could not be loaded is told first, since what it brings is unknown then. */
    Configuration require(ConfigurationLoader.Loaded loaded) {
        List<ConfigProblem> errors = loaded.errors();
        if (!errors.isEmpty()) {
            throw new InvalidRequest(Stream.concat(
                            providers().problems().stream(), errors.stream().map(ConfigProblem::text))
                    .collect(Collectors.joining(System.lineSeparator() + "parley: ")));
        }
        return loaded.configuration();
    }

    Storages storages() {
        return new Storages(
                providers(),
                home,
                around.clock(),
                configuration().zone(),
                ProcessSurroundings.ids(),
                ProcessSurroundings.threads("storage"),
                this::warn,
                around.environment());
    }

    /** Opens the database that {@code --db} names, or the home's storage. */
    Storage open(Optional<Path> database, Mode mode) {
        if (database.isPresent()) {
            return open("sqlite:" + database.get().toAbsolutePath(), mode, Map.of());
        }
        Configuration c = configuration();
        if (mode == Mode.READ_WRITE) {
            home.create();
        }
        try {
            return open(c.storage().url(), mode, c.storage().options());
        } catch (StorageUnavailable e) {
            if (home.exists() && GatewayLock.isHeld(home)) {
                throw new StorageUnavailable(
                        e.getMessage() + " " + holder()
                                + " uses this home; `parley storage status` asks it how the storage is. Where it holds the storage, stop it"
                                + " first.",
                        e);
            }
            throw e;
        }
    }

    /**
     * Opens the database that {@code --db} names, or the home's storage, to be read.
     *
     * @throws HeldByGateway where the gateway that runs on the home has its storage to itself
     */
    Storage look(Optional<Path> database) {
        Storage open = shared;
        if (open != null && database.isEmpty()) {
            return new StaysOpen(StorageParts.of(open), open.location());
        }
        try {
            return open(database, Mode.READ_ONLY);
        } catch (StorageUnavailable e) {
            if (database.isEmpty() && home.exists() && GatewayLock.isHeld(home)) {
                throw new HeldByGateway(e);
            }
            throw e;
        }
    }

    /** A storage that is closed by whoever opened it. */
    private record StaysOpen(StorageParts parts, String location) implements ComposedStorage {
        @Override
        public void close() {}
    }

    /** The storage cannot be read here, but the gateway can be asked. */
    static final class HeldByGateway extends RuntimeException {
        private static final long serialVersionUID = 1L;

        private final StorageUnavailable why;

        HeldByGateway(StorageUnavailable why) {
            super(why);
            this.why = why;
        }

        StorageUnavailable why() {
            return why;
        }
    }

    /**
     * Has the gateway that runs on the home run a command that looks into its storage; absent where it cannot be asked. Where it does not
     * answer, says so.
     */
    Optional<Integer> askGateway(List<String> arguments) {
        try (GatewayThreads threads = new GatewayThreads()) {
            Optional<GatewayClient> client = RunningGateway.on(home, threads.executor());
            if (client.isEmpty()) {
                return Optional.empty();
            }
            JsonNode told = Json.parse(Progress.during(
                    this, "asking the gateway", () -> client.get().look(arguments)));
            if (!told.path("code").isInt()) {
                return Optional.empty();
            }
            out().print(told.path("out").asText());
            out().flush();
            err().print(told.path("err").asText());
            err().flush();
            return Optional.of(told.path("code").asInt());
        } catch (StorageUnavailable silent) {
            err().println("parley: " + silent.getMessage());
            return Optional.empty();
        } catch (ParleyException | MalformedJson refused) {
            return Optional.empty();
        }
    }

    private String holder() {
        OptionalLong pid = GatewayLock.owner(home);
        return pid.isPresent() ? "Process " + pid.getAsLong() : "Another process";
    }

    /** Opens a storage; shows how long that takes, because an old one may be brought up to date. */
    Storage open(String url, Mode mode, Map<String, String> options) {
        Storages storages = storages();
        return Progress.during(this, "opening the storage", () -> storages.open(url, mode, options));
    }

    /** Opens what must be there already, as {@link #open(Optional, Mode)} does: a mistyped path makes no database. */
    Storage openExisting(Optional<Path> database, Mode mode) {
        requireExisting(database);
        return open(database, mode);
    }

    /** Opens what must be there already for writing, and repairs what the opening itself would fail on. */
    Storage openRepairing(Optional<Path> database) {
        requireExisting(database);
        StorageConfiguration configured = configuration().storage();
        String url = database.map(file -> "sqlite:" + file.toAbsolutePath()).orElse(configured.url());
        Map<String, String> options = new LinkedHashMap<>(database.isPresent() ? Map.of() : configured.options());
        if (storages().provider(url).options().contains(REPAIR_SCHEMA)) {
            options.put(REPAIR_SCHEMA, "true");
        }
        if (database.isEmpty()) {
            home.create();
        }
        return open(url, Mode.READ_WRITE, options);
    }

    private static void requireExisting(Optional<Path> database) {
        if (database.isPresent() && Files.notExists(database.get())) {
            throw new StorageUnavailable("The database " + database.get() + " does not exist; check the path.", null);
        }
    }

    /** Returns how many batches wait in the fallback at this address to be merged back. */
    long waitingBatches(String fallback) {
        Storages storages = storages();
        return home.exists()
                ? storages.provider(fallback).waitingBatches(storages.settings(fallback, Mode.READ_ONLY, Map.of()))
                : 0;
    }

    /**
     * Returns how many lanes have their place before this one, of those that wait for one at the gateway that runs on the home; absent where
     * it does not wait, or no gateway answers.
     */
    Optional<Integer> awaitsPlace(SessionKey lane) {
        try (GatewayThreads threads = new GatewayThreads()) {
            Optional<GatewayClient> client = RunningGateway.on(home, threads.executor());
            if (client.isEmpty()) {
                return Optional.empty();
            }
            List<String> line = new ArrayList<>();
            Json.parse(client.get().awaitingPlace()).forEach(key -> line.add(key.asText()));
            return Optional.of(line.indexOf(lane.value())).filter(before -> before >= 0);
        } catch (MalformedJson | ParleyException e) {
            return Optional.empty();
        }
    }

    /** Returns what the gateway that runs on the home says of its health; absent where none runs, or it does not answer. */
    Optional<ReportedHealth> gatewayHealth() {
        try (GatewayThreads threads = new GatewayThreads()) {
            Optional<GatewayClient> client = RunningGateway.on(home, threads.executor());
            if (client.isEmpty()) {
                return Optional.empty();
            }
            JsonNode health = Json.parse(client.get().health());
            List<Map<String, String>> platforms = new ArrayList<>();
            health.path("platforms").forEach(platform -> platforms.add(texts(platform)));
            return Optional.of(new ReportedHealth(texts(health), platforms));
        } catch (ParleyException | MalformedJson silent) {
            return Optional.empty();
        }
    }

    private static Map<String, String> texts(JsonNode object) {
        Map<String, String> texts = new LinkedHashMap<>();
        object.properties().stream()
                .filter(each -> each.getValue().isValueNode())
                .forEach(each -> texts.put(each.getKey(), each.getValue().asText()));
        return texts;
    }

    /** Takes the home for a command that changes what a live gateway holds. */
    GatewayLock lock() {
        home.create();
        return GatewayLock.take(home);
    }

    /** Asks on a terminal, unless {@code yes}; a script has nobody to ask and knows what it does. */
    void confirm(String question, boolean yes) {
        if (yes || !around.terminal()) {
            return;
        }
        err().print(question + " [y/N] ");
        err().flush();
        try {
            BufferedReader reader = new BufferedReader(new InputStreamReader(around.in(), StandardCharsets.UTF_8));
            String answer =
                    Optional.ofNullable(reader.readLine()).orElse("").strip().toLowerCase(Locale.ROOT);
            if (!answer.equals("y") && !answer.equals("yes")) {
                throw new Declined();
            }
        } catch (IOException e) {
            throw new InvalidRequest("Your answer cannot be read (" + e.getMessage() + "); say --yes to do it.");
        }
    }

    /** The user said no. */
    static final class Declined extends RuntimeException {
        private static final long serialVersionUID = 1L;
    }
}
