package dev.parley.contracts.level;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.annotation.Annotation;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.TestWatcher;
import org.junit.platform.commons.support.AnnotationSupport;

/**
 * Reports what became of the contract tests of a test class, level by level: on the console, and as
 * {@code contract-report-CLASS.json} in the directory that the configuration parameter or system property
 * {@code parley.contracts.report} names, {@code target} where it names none and there is one; nothing is reported where it says
 * {@code none}. A level is passed where all its tests ran or were skipped for a reason, at least one ran, and none failed; a class that
 * implements a part of a contract (see {@link PartOf}) passes nothing, and the report says which part it is.
 *
 * <p>The JSON is stable: fields are added, never renamed. It is an object with {@code backend} (what was tested, see {@link
 * #describe}), {@code kit} (the version of this kit), {@code passed} (the levels passed), {@code capabilities} with {@code
 * declared} and {@code lacking}, {@code levels}, each with {@code level}, {@code passed} (a count), {@code failed} and {@code
 * missing} (names), and {@code skipped} (each with {@code test} and {@code why}), {@code test_class}, {@code contracts} (the names of
 * those it implements), and {@code whole} (the name of the contract that has all tests of the levels).
 */
public final class ContractReport implements TestWatcher, AfterAllCallback {
    private static final ExtensionContext.Namespace OURS = ExtensionContext.Namespace.create(ContractReport.class);
    private static final Map<String, Class<? extends Annotation>> LEVELS = new TreeMap<>(Map.of(
            "core", Core.class,
            "durable", Durable.class,
            "concurrent", Concurrent.class,
            "search", Search.class,
            "privacy", Privacy.class,
            "power", Power.class));

    /** Needed to be registered. */
    public ContractReport() {}

    /**
     * Tells the report what a test class tests; the class's name without {@code ContractTest} or {@code Test} stands for it
     * otherwise.
     *
     * @param context a context of the class or of one of its tests
     * @param backend what is tested, with its version where there is one
     * @param declared the capabilities it has
     * @param lacking the capabilities it says it has not
     */
    public static void describe(
            ExtensionContext context, String backend, Set<? extends Enum<?>> declared, Set<? extends Enum<?>> lacking) {
        results(context).describe(backend, names(declared), names(lacking));
    }

    private static List<String> names(Set<? extends Enum<?>> constants) {
        return constants.stream().map(Enum::name).sorted().toList();
    }

    @Override
    public void testSuccessful(ExtensionContext context) {
        note(context, Outcome.PASSED, "");
    }

    @Override
    public void testFailed(ExtensionContext context, Throwable cause) {
        note(context, Outcome.FAILED, String.valueOf(cause.getMessage()));
    }

    @Override
    public void testAborted(ExtensionContext context, Throwable cause) {
        note(context, Outcome.SKIPPED, String.valueOf(cause.getMessage()));
    }

    @Override
    public void testDisabled(ExtensionContext context, Optional<String> reason) {
        note(context, Outcome.SKIPPED, reason.orElse("No reason is given."));
    }

    private static void note(ExtensionContext context, Outcome outcome, String why) {
        String test = context.getRequiredTestMethod().getName();
        context.getTags().stream()
                .filter(LEVELS::containsKey)
                .forEach(level -> results(context).add(level, test, new Result(outcome, why)));
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
                        directory.resolve("contract-report-" + results.testClass.getName() + ".json"),
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
        SKIPPED,
        FAILED
    }

    private record Result(Outcome outcome, String why) {
        /** Of several runs of one test the worst counts. */
        Result worst(Result other) {
            return other.outcome.compareTo(outcome) > 0 ? other : this;
        }
    }

    /** What became of the tests of one class. */
    private static final class Results {
        private final Class<?> testClass;
        private final Map<String, Map<String, Result>> byLevel = new TreeMap<>();
        private String backend;
        private List<String> declared = List.of();
        private List<String> lacking = List.of();

        Results(Class<?> testClass) {
            this.testClass = testClass;
            this.backend = testClass.getSimpleName().replaceFirst("(?<=.)(Contract)?Test$", "");
        }

        synchronized void describe(String name, List<String> has, List<String> hasNot) {
            backend = name;
            declared = has;
            lacking = hasNot;
        }

        synchronized void add(String level, String test, Result result) {
            byLevel.computeIfAbsent(level, l -> new TreeMap<>()).merge(test, result, Result::worst);
        }

        synchronized boolean isEmpty() {
            return byLevel.isEmpty();
        }

        private Map<String, Result> tests(String level, Outcome outcome) {
            Map<String, Result> tests = new TreeMap<>(byLevel.getOrDefault(level, Map.of()));
            tests.values().removeIf(result -> result.outcome() != outcome);
            return tests;
        }

        /**
         * The tests of a level that the class or its whole contract has and that nothing was heard of, as where only some were
         * chosen.
         */
        private Set<String> missing(String level) {
            Class<? extends Annotation> annotation = LEVELS.getOrDefault(level, Core.class);
            Set<String> missing = Stream.concat(Stream.of(testClass), whole().stream())
                    .flatMap(type -> Arrays.stream(type.getMethods()))
                    .filter(method -> !method.isBridge() && AnnotationSupport.isAnnotated(method, annotation))
                    .map(method -> method.getName())
                    .collect(Collectors.toCollection(TreeSet::new));
            missing.removeAll(byLevel.getOrDefault(level, Map.of()).keySet());
            return missing;
        }

        /** The contract that has all tests of what the class tests, where its contracts are parts of one. */
        private Optional<Class<?>> whole() {
            return AnnotationSupport.findAnnotation(testClass, PartOf.class).map(PartOf::value);
        }

        private boolean isPart() {
            return whole().filter(all -> !all.isAssignableFrom(testClass)).isPresent();
        }

        /** The contracts that the class names, itself or by the classes it extends. */
        private List<String> contracts() {
            return Stream.<Class<?>>iterate(testClass, type -> type != null, Class::getSuperclass)
                    .flatMap(type -> Arrays.stream(type.getInterfaces()))
                    .map(Class::getSimpleName)
                    .distinct()
                    .toList();
        }

        /** The levels on which the class or its whole contract has tests. */
        private List<String> levels() {
            return LEVELS.keySet().stream()
                    .filter(level ->
                            byLevel.containsKey(level) || !missing(level).isEmpty())
                    .toList();
        }

        private boolean isPassed(String level) {
            return !tests(level, Outcome.PASSED).isEmpty()
                    && tests(level, Outcome.FAILED).isEmpty()
                    && missing(level).isEmpty();
        }

        private List<String> passed() {
            return byLevel.keySet().stream().filter(this::isPassed).toList();
        }

        synchronized String forConsole() {
            StringBuilder lines = new StringBuilder("Contracts of Parley " + kitVersion() + " on " + backend + "\n");
            for (String level : levels()) {
                lines.append(String.format(
                        "  %-10s %4d passed %4d failed %4d skipped%s%n",
                        level,
                        tests(level, Outcome.PASSED).size(),
                        tests(level, Outcome.FAILED).size(),
                        tests(level, Outcome.SKIPPED).size(),
                        missing(level).isEmpty()
                                ? ""
                                : String.format(" %4d not run", missing(level).size())));
            }
            lines.append("  levels passed: ").append(words(passed())).append('\n');
            if (isPart()) {
                lines.append("  contracts run: ").append(words(contracts())).append("; the levels are those of ");
                lines.append(whole().map(Class::getSimpleName).orElse("")).append('\n');
            }
            if (!declared.isEmpty() || !lacking.isEmpty()) {
                lines.append("  capabilities: ").append(words(declared));
                lines.append("; lacking: ").append(words(lacking)).append('\n');
            }
            skips().forEach((why, tests) -> lines.append("  skipped ")
                    .append(tests)
                    .append(": ")
                    .append(why)
                    .append('\n'));
            return lines.toString();
        }

        private static String words(List<String> names) {
            return names.isEmpty() ? "none" : String.join(", ", names);
        }

        /** How many tests were skipped for each reason, as they come. */
        private Map<String, Long> skips() {
            return byLevel.keySet().stream()
                    .flatMap(level -> tests(level, Outcome.SKIPPED).values().stream())
                    .collect(Collectors.groupingBy(Result::why, LinkedHashMap::new, Collectors.counting()));
        }

        synchronized String asJson() {
            return "{\n  \"backend\": " + text(backend) + ",\n  \"kit\": " + text(kitVersion()) + ",\n  \"passed\": "
                    + list(passed()) + ",\n  \"capabilities\": {\"declared\": " + list(declared) + ", \"lacking\": "
                    + list(lacking) + "},\n  \"levels\": [\n"
                    + levels().stream().map(this::levelAsJson).collect(Collectors.joining(",\n"))
                    + "\n  ],\n  \"test_class\": " + text(testClass.getName()) + ",\n  \"contracts\": "
                    + list(contracts()) + ",\n  \"whole\": "
                    + whole().map(Class::getSimpleName).map(Results::text).orElse("null") + "\n}\n";
        }

        private String levelAsJson(String level) {
            return "    {\"level\": " + text(level) + ", \"passed\": "
                    + tests(level, Outcome.PASSED).size() + ", \"failed\": "
                    + list(tests(level, Outcome.FAILED).keySet()) + ", \"missing\": " + list(missing(level))
                    + ", \"skipped\": ["
                    + tests(level, Outcome.SKIPPED).entrySet().stream()
                            .map(e -> "{\"test\": " + text(e.getKey()) + ", \"why\": "
                                    + text(e.getValue().why()) + "}")
                            .collect(Collectors.joining(", "))
                    + "]}";
        }

        private static String list(Collection<String> names) {
            return names.stream().map(Results::text).collect(Collectors.joining(", ", "[", "]"));
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
