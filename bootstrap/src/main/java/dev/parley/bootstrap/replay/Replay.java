package dev.parley.bootstrap.replay;

import com.fasterxml.jackson.databind.JsonNode;
import dev.parley.application.replay.ScenarioRunner;
import dev.parley.application.replay.SeededIds;
import dev.parley.bootstrap.config.StorageConfiguration;
import dev.parley.bootstrap.json.Json;
import dev.parley.bootstrap.json.MalformedJson;
import dev.parley.bootstrap.wiring.ProcessSurroundings;
import dev.parley.bootstrap.wiring.Providers;
import dev.parley.bootstrap.wiring.Storages;
import dev.parley.home.FileMarkers;
import dev.parley.home.HomeDirectory;
import dev.parley.home.WhatsAppAliasFiles;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * A scenario run in a home directory.
 *
 * @param providers the backends there are
 * @param home the home; must exist
 * @param configuration the configuration where the scenario brings none
 * @param storage the address of the storage; absent for the configured one
 * @param ids whether real ids are written
 * @param lines takes the outcomes, one line each
 * @param notes takes what is worth knowing
 */
public record Replay(
        Providers providers,
        HomeDirectory home,
        Optional<Path> configuration,
        Optional<String> storage,
        boolean ids,
        Consumer<String> lines,
        Consumer<String> notes) {
    /** Counts the replays in a home that is used again: what one made up must not come again in the next. */
    private static final String RUNS = ".replays";

    /** Replays a scenario and returns its outcomes. */
    public List<JsonNode> run(String name, List<String> scenario) {
        WhatsAppAliasFiles aliases = new WhatsAppAliasFiles(home);
        ScenarioFile file = new ScenarioReader(
                        new ScenarioConfigurations(providers, configuration, aliases, "~/.parley"))
                .read(name, scenario);
        file.warnings().forEach(warning -> notes.accept("warning: " + warning));
        List<JsonNode> outcomes = new ArrayList<>();
        Outcomes events = new Outcomes(
                file,
                ids,
                line -> {
                    lines.accept(line);
                    outcomes.add(parsed(line));
                },
                notes);
        long seed = 2 * countRun();
        // The clock of the replay is known only to its runner, and the store is opened by it later.
        Later clock = new Later();
        Storages storages = new Storages(
                providers,
                home,
                clock,
                file.configuration().zone(),
                new SeededIds(seed + 1),
                ProcessSurroundings.threads("replay"),
                notes);
        StorageConfiguration configured = file.configuration().storage();
        HomeStore store = new HomeStore(
                storages,
                storage.map(url -> new StorageConfiguration(
                                url, configured.fallback(), configured.busyPatience(), Map.of()))
                        .orElse(configured));
        ScenarioRunner runner =
                new ScenarioRunner(store, new FileMarkers(home), file.settings(), new SeededIds(seed), events);
        clock.time = runner.clock();
        runner.run(file.scenario());
        return List.copyOf(outcomes);
    }

    /** Deletes a home with everything in it. */
    public static void delete(HomeDirectory home) throws IOException {
        HomeStore.delete(home.path());
    }

    private static JsonNode parsed(String line) {
        try {
            return Json.parse(line);
        } catch (MalformedJson e) {
            throw new IllegalStateException("An outcome is not JSON: " + line, e);
        }
    }

    /** Returns how many replays this home has seen, this one included. */
    private long countRun() {
        Path file = home.path().resolve(RUNS);
        try {
            long runs = 1;
            if (Files.exists(file)) {
                String text = Files.readString(file, StandardCharsets.US_ASCII).strip();
                runs = text.matches("[0-9]{1,9}") ? Long.parseLong(text) + 1 : 1;
            }
            Files.writeString(file, runs + "\n", StandardCharsets.US_ASCII);
            return runs;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static final class Later implements InstantSource {
        private InstantSource time = InstantSource.fixed(Instant.EPOCH);

        @Override
        public Instant instant() {
            return time.instant();
        }
    }
}
