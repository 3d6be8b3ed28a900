package dev.parley.bootstrap.docs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.bootstrap.config.ConfigurationLoader;
import dev.parley.bootstrap.wiring.Providers;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Who reads the documentation must get where its links point, and find in it what there is. */
class DocsTest {
    private static final Path ROOT = Path.of("..");
    private static final Pattern LINK = Pattern.compile("\\]\\(([^)#\\s]+)(#[^)]*)?\\)");
    private static final Pattern CODE = Pattern.compile("(?s)```.*?```|`[^`\n]*`");
    private static final Pattern TEST = Pattern.compile("`([A-Z]\\w*(?:Test|IT|Contract|Benchmark))(?:\\.(\\w+))?`");

    @Test
    void everyRelativeLinkResolves() throws IOException {
        List<String> broken = new ArrayList<>();
        int seen = 0;
        for (Path page : Sources.pages()) {
            String text = CODE.matcher(Files.readString(page)).replaceAll("");
            Matcher link = LINK.matcher(text);
            while (link.find()) {
                String target = link.group(1);
                if (target.contains("://") || target.startsWith("mailto:")) {
                    continue;
                }
                seen++;
                if (!Files.exists(page.resolveSibling(target))) {
                    broken.add(page + " -> " + target);
                }
            }
        }

        assertThat(broken).isEmpty();
        assertThat(seen).as("links that were looked at").isGreaterThan(10);
    }

    @Test
    void everyPackageThatTheArchitectureNamesExists() throws IOException {
        List<String> packages;
        try (Stream<Path> files = Files.list(ROOT.resolve("application/src/main/java/dev/parley/application"))) {
            packages = files.map(file -> file.getFileName().toString()).toList();
        }
        List<String> named = Files.readAllLines(ROOT.resolve("docs/architecture.md")).stream()
                .dropWhile(line -> !line.startsWith("| Package |"))
                .skip(2)
                .takeWhile(line -> line.startsWith("|"))
                .flatMap(line -> quoted(line.split("\\|", -1)[1]).stream())
                .toList();

        assertThat(named).containsExactlyInAnyOrderElementsOf(packages);
    }

    @Test
    void theGlossaryIsInOrderAndSaysEachWordOnce() throws IOException {
        List<String> words = Files.readAllLines(ROOT.resolve("docs/glossary.md")).stream()
                .filter(line -> line.startsWith("- **"))
                .map(line -> line.substring(4, line.indexOf("**", 4)))
                .toList();

        assertThat(words).hasSizeGreaterThan(30).isSorted().doesNotHaveDuplicates();
    }

    @Test
    void everyTypeThatTheArchitectureNamesExists() throws IOException {
        Map<String, String> sources = sources();
        List<String> named = Pattern.compile("`([A-Z][a-z]+[A-Za-z]*)(?:\\.\\w+)?`")
                .matcher(Files.readString(ROOT.resolve("docs/architecture.md")))
                .results()
                .map(found -> found.group(1))
                .filter(name -> !name.equals("InstantSource"))
                .toList();

        assertThat(named)
                .hasSizeGreaterThan(10)
                .allSatisfy(name -> assertThat(sources).containsKey(name));
    }

    @Test
    void theNumbersOfDecisionsHaveNoHolesAndNoTwins() throws IOException {
        Path decisions = ROOT.resolve("docs").resolve("decisions");
        List<String> records;
        try (Stream<Path> files = Files.list(decisions)) {
            records = files.map(file -> file.getFileName().toString())
                    .filter(name -> !name.equals("README.md"))
                    .sorted()
                    .toList();
        }

        assertThat(records).isNotEmpty();
        assertThat(records.stream().map(name -> name.substring(0, 4)))
                .as("numbers from 1 on, each once and without a hole")
                .containsExactlyElementsOf(IntStream.rangeClosed(1, records.size())
                        .mapToObj(number -> String.format(Locale.ROOT, "%04d", number))
                        .toList());
    }

    @Test
    void everyDecisionStandsInTheIndexUnderItsTitle() throws IOException {
        List<String> expected = new ArrayList<>();
        for (Path record : decisions()) {
            String heading = Files.readAllLines(record).get(0);
            expected.add("- [" + heading.substring(2).replaceFirst("\\.", "") + "](" + record.getFileName() + ")");
        }

        assertThat(Files.readAllLines(ROOT.resolve("docs/decisions/README.md")).stream()
                        .filter(line -> line.startsWith("- ")))
                .containsExactlyElementsOf(expected);
    }

    @Test
    void everyTestThatHoldsADecisionExists() throws IOException {
        Map<String, String> sources = sources();
        List<String> missing = new ArrayList<>();
        int seen = 0;
        for (Path record : decisions()) {
            String text = Files.readString(record);
            Matcher named = TEST.matcher(text.substring(text.indexOf("## Confirmation")));
            while (named.find()) {
                seen++;
                String source = sources.getOrDefault(named.group(1), "");
                if (!source.contains(named.group(2) == null ? named.group(1) : " " + named.group(2) + "(")) {
                    missing.add(record.getFileName() + " -> " + named.group());
                }
            }
        }

        assertThat(missing).isEmpty();
        assertThat(seen).as("tests that were looked for").isGreaterThan(30);
    }

    @Test
    void everySettingStandsInTheGuideWithItsDefault() throws IOException {
        Providers providers = Providers.find(Path.of("no-plugins"));
        Map<String, String> settings = new TreeMap<>();
        new ConfigurationLoader(
                        providers.platformNames(),
                        providers.platformSettings(),
                        providers.agentSettings(),
                        providers.storageOptions(),
                        providers.extensionSettings(),
                        providers.observerSettings(),
                        ZoneOffset.UTC)
                .load(Optional.empty(), Map.of())
                .configuration()
                .settings()
                .forEach(setting -> settings.put(setting.path(), plain(setting.value())));
        Map<String, String> written = writtenSettings();

        assertThat(settings.keySet())
                .allSatisfy(path -> assertThat(written.keySet())
                        .anyMatch(key -> key.equals(path)
                                || (key.endsWith(".*") && path.startsWith(key.substring(0, key.length() - 1)))));
        assertThat(written).allSatisfy((key, byDefault) -> {
            if (!key.matches(".*[A-Z*].*|platforms\\..*")) {
                assertThat(settings).containsKey(key);
                if (!byDefault.isEmpty()) {
                    assertThat(settings.get(key)).as(key).isEqualTo(byDefault);
                }
            }
        });
    }

    @Test
    void theSettingsOfAgentsPlatformsAndStoragesStandInTheGuide() throws IOException {
        Providers providers = Providers.find(Path.of("no-plugins"));
        Set<String> options = new TreeSet<>();
        providers.storageOptions().values().forEach(options::addAll);
        // Set under names of their own.
        options.removeAll(Set.of("write_sessions_json", "busy_patience_ms"));

        assertThat(explainedUnder("agents.openai.*"))
                .containsAll(providers.agentSettings().getOrDefault("openai", Set.of("missing")));
        assertThat(explainedUnder("storage.options.*")).containsAll(options);
        assertThat(explainedUnder("platforms.http.*"))
                .containsAll(providers.platformSettings().getOrDefault("http", Set.of()).stream()
                        .map(name -> name.replace(".*", ""))
                        .toList());
    }

    /** Returns the keys of the guide's table, each with its default, or with nothing where that is said in words. */
    private static Map<String, String> writtenSettings() throws IOException {
        Map<String, String> written = new TreeMap<>();
        for (String[] cells : settingsTable()) {
            List<String> keys = quoted(cells[1]);
            List<String> defaults = quoted(cells[2]);
            String section = "";
            for (int i = 0; i < keys.size(); i++) {
                String key = keys.get(i).startsWith(".") ? section + keys.get(i) : keys.get(i);
                section = key.contains(".") ? key.substring(0, key.lastIndexOf('.')) : "";
                written.put(key, defaults.size() == keys.size() ? defaults.get(i) : "");
            }
        }
        assertThat(written).as("keys in the guide").hasSizeGreaterThan(40);
        return written;
    }

    private static List<String> explainedUnder(String key) throws IOException {
        return settingsTable().stream()
                .filter(cells -> quoted(cells[1]).contains(key))
                .flatMap(cells -> quoted(cells[3]).stream())
                .toList();
    }

    private static List<String[]> settingsTable() throws IOException {
        return Files.readAllLines(ROOT.resolve("docs/guide/operating.md")).stream()
                .dropWhile(line -> !line.startsWith("| Key |"))
                .skip(2)
                .takeWhile(line -> line.startsWith("|"))
                .map(line -> line.split("(?<!\\\\)\\|", -1))
                .toList();
    }

    private static List<String> quoted(String cell) {
        return Pattern.compile("`([^`]+)`")
                .matcher(cell)
                .results()
                .map(found -> found.group(1))
                .toList();
    }

    /** A value as the guide writes it: lists without brackets, whole numbers without a fraction. */
    private static String plain(String value) {
        return value.replaceAll("^\\[|]$", "").replaceFirst("\\.0$", "");
    }

    private static List<Path> decisions() throws IOException {
        try (Stream<Path> files = Files.list(ROOT.resolve("docs/decisions"))) {
            return files.filter(file -> !file.endsWith("README.md")).sorted().toList();
        }
    }

    /** Returns the text of all classes by their simple name; classes of one name together. */
    private static Map<String, String> sources() throws IOException {
        Map<String, String> sources = new TreeMap<>();
        for (Path file : Sources.ofAllModules()) {
            String name = file.getFileName().toString();
            sources.merge(name.substring(0, name.length() - 5), Files.readString(file), String::concat);
        }
        return sources;
    }
}
