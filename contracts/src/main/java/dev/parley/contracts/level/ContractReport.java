package dev.parley.contracts.level;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.TestWatcher;

/**
 * Reports what became of the contract tests of a test class, level by level: on the console, and as
 * {@code contract-report-CLASS.json} in the directory that the configuration parameter or system property
 * {@code parley.contracts.report} names, {@code target} where it names none and there is one; nothing is reported where it says
 * {@code none}.
 */
public final class ContractReport implements TestWatcher, AfterAllCallback {
    private static final ExtensionContext.Namespace OURS = ExtensionContext.Namespace.create(ContractReport.class);
    private static final Set<String> LEVELS = Set.of("core", "durable", "concurrent", "search", "privacy");

    /** Needed to be registered. */
    public ContractReport() {}

    @Override
    public void testSuccessful(ExtensionContext context) {
        note(context, Outcome.PASSED);
    }

    @Override
    public void testFailed(ExtensionContext context, Throwable cause) {
        note(context, Outcome.FAILED);
    }

    @Override
    public void testAborted(ExtensionContext context, Throwable cause) {
        note(context, Outcome.SKIPPED);
    }

    @Override
    public void testDisabled(ExtensionContext context, Optional<String> reason) {
        note(context, Outcome.SKIPPED);
    }

    private static void note(ExtensionContext context, Outcome outcome) {
        context.getTags().stream()
                .filter(LEVELS::contains)
                .forEach(level -> results(context).add(level, context.getDisplayName(), outcome));
    }

    private static Results results(ExtensionContext context) {
        Class<?> testClass = context.getRequiredTestClass();
        return context.getRoot()
                .getStore(OURS)
                .getOrComputeIfAbsent(testClass, key -> new Results(testClass), Results.class);
    }

    @Override
    public void afterAll(ExtensionContext context) {
        Results results = results(context);
        if (results.isEmpty() || parameter(context).filter("none"::equals).isPresent()) {
            return;
        }
        System.out.print(results.forConsole());
        directory(context).ifPresent(directory -> {
            try {
                Files.createDirectories(directory);
                Files.writeString(
                        directory.resolve("contract-report-" + results.testClass + ".json"),
                        results.asJson(),
                        StandardCharsets.UTF_8);
            } catch (IOException e) {
                throw new UncheckedIOException("The contract report cannot be written to " + directory + ".", e);
            }
        });
    }

    private static Optional<String> parameter(ExtensionContext context) {
        return context.getConfigurationParameter("parley.contracts.report");
    }

    private static Optional<Path> directory(ExtensionContext context) {
        Path target = Path.of("target");
        return parameter(context)
                .map(Path::of)
                .or(() -> Files.isDirectory(target) ? Optional.of(target) : Optional.empty());
    }

    /** Returns the version of the kit. */
    public static String kitVersion() {
        try (InputStream in = ContractReport.class.getResourceAsStream("kit.properties")) {
            Properties properties = new Properties();
            if (in != null) {
                properties.load(in);
            }
            return properties.getProperty("version", "unknown");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private enum Outcome {
        PASSED,
        FAILED,
        SKIPPED
    }

    /** What became of the tests of one class. */
    private static final class Results {
        private final String testClass;
        private final Map<String, Map<Outcome, List<String>>> byLevel = new TreeMap<>();

        Results(Class<?> testClass) {
            this.testClass = testClass.getName();
        }

        synchronized void add(String level, String test, Outcome outcome) {
            byLevel.computeIfAbsent(level, l -> new TreeMap<>())
                    .computeIfAbsent(outcome, o -> new ArrayList<>())
                    .add(test);
        }

        synchronized boolean isEmpty() {
            return byLevel.isEmpty();
        }

        private List<String> tests(String level, Outcome outcome) {
            return byLevel.getOrDefault(level, Map.of()).getOrDefault(outcome, List.of());
        }

        synchronized String forConsole() {
            StringBuilder lines = new StringBuilder("Contracts of Parley " + kitVersion() + " on " + testClass + "\n");
            for (String level : byLevel.keySet()) {
                lines.append(String.format(
                        "  %-10s %4d passed %4d failed %4d skipped%n",
                        level,
                        tests(level, Outcome.PASSED).size(),
                        tests(level, Outcome.FAILED).size(),
                        tests(level, Outcome.SKIPPED).size()));
            }
            return lines.toString();
        }

        synchronized String asJson() {
            List<String> levels = new ArrayList<>();
            for (String level : byLevel.keySet()) {
                levels.add("    {\"level\": " + text(level) + ", \"passed\": "
                        + tests(level, Outcome.PASSED).size() + ", \"failed\": " + list(tests(level, Outcome.FAILED))
                        + ", \"skipped\": " + list(tests(level, Outcome.SKIPPED)) + "}");
            }
            return "{\n  \"backend\": " + text(testClass) + ",\n  \"kit\": " + text(kitVersion())
                    + ",\n  \"levels\": [\n" + String.join(",\n", levels) + "\n  ]\n}\n";
        }

        private static String list(List<String> names) {
            return "["
                    + String.join(
                            ", ", names.stream().sorted().map(Results::text).toList()) + "]";
        }

        private static String text(String value) {
            StringBuilder json = new StringBuilder("\"");
            value.chars().forEach(c -> {
                if (c == '"' || c == '\\') {
                    json.append('\\').append((char) c);
                } else if (c < ' ') {
                    json.append(String.format("\\u%04x", c));
                } else {
                    json.append((char) c);
                }
            });
            return json.append('"').toString();
        }
    }
}
