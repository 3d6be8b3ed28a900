package dev.parley.bootstrap.replay;

import dev.parley.application.port.InvalidRequest;
import dev.parley.application.replay.ReplaySettings;
import dev.parley.bootstrap.config.ConfigProblem;
import dev.parley.bootstrap.config.Configuration;
import dev.parley.bootstrap.config.ConfigurationLoader;
import dev.parley.bootstrap.wiring.ConfiguredAuthorization;
import dev.parley.bootstrap.wiring.Providers;
import dev.parley.domain.key.AliasLookup;
import dev.parley.domain.key.KeyRules;
import dev.parley.domain.source.Platform;
import dev.parley.domain.source.Platforms;
import java.nio.file.Path;
import java.time.ZoneId;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/**
 * Reads configurations for replays: without the environment, and as if there were an adapter for every platform.
 *
 * @param providers what there is
 * @param file the configuration where a scenario brings none
 * @param aliases the known identities
 * @param home the home as it is shown
 */
public record ScenarioConfigurations(Providers providers, Optional<Path> file, AliasLookup aliases, String home) {

    /** Reads what a scenario says, where it says something, else the file, else nothing. */
    Configuration read(
            Optional<String> json, String where, Platforms platforms, ZoneId zone, Consumer<String> warnings) {
        Map<String, Set<String>> adapters = new TreeMap<>(providers.platformSettings());
        for (Platform platform : platforms.all()) {
            adapters.putIfAbsent(platform.name(), Set.of());
        }
        ConfigurationLoader loader = new ConfigurationLoader(
                platforms,
                adapters,
                providers.agentSettings(),
                providers.storageOptions(),
                providers.extensionSettings(),
                providers.observerSettings(),
                zone);
        ConfigurationLoader.Loaded loaded =
                json.isPresent() ? loader.loadJson(json.get(), where) : loader.load(file, Map.of());
        if (!loaded.errors().isEmpty()) {
            throw new InvalidRequest(loaded.errors().stream()
                    .map(ConfigProblem::text)
                    .collect(Collectors.joining(System.lineSeparator() + "parley: ")));
        }
        loaded.problems().stream().map(ConfigProblem::text).forEach(warnings);
        return loaded.configuration();
    }

    ReplaySettings settings(Configuration configuration) {
        KeyRules rules = new KeyRules(configuration.isolation(), aliases);
        if (configuration.multiplexProfiles()) {
            rules = rules.withProfiles(Optional.empty());
        }
        return new ReplaySettings(
                configuration.gateway().chat(c -> c.withHome(home)),
                rules,
                configuration.zone(),
                ConfiguredAuthorization.of(configuration));
    }
}
