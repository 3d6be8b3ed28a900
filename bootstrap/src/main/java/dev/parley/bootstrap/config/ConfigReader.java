package dev.parley.bootstrap.config;

import dev.parley.domain.text.Nearest;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Reads typed settings out of a document and the environment (F13.1, F13.2). Reading a setting makes it known: what the
 * document holds beyond the known is an error in the end. The environment goes before the file, the file before the default.
 * Not safe for concurrent use.
 */
final class ConfigReader {
    /** Ten years. */
    static final int MINUTES_MOST = 60 * 24 * 366 * 10;

    private static final String PREFIX = "PARLEY_";
    private static final Set<String> NOT_SETTINGS =
            Set.of("PARLEY_HOME", "PARLEY_CONFIG", "PARLEY_LOG", "PARLEY_LOG_FORMAT", "PARLEY_JAVA_OPTIONS");
    private static final List<String> LOG_LEVELS = List.of("OFF", "ERROR", "WARN", "INFO", "DEBUG", "TRACE", "ALL");
    private static final Set<String> TRUE = Set.of("true", "1", "yes", "on");
    private static final Set<String> FALSE = Set.of("false", "0", "no", "off");

    private final ConfigDocument document;
    private final Map<String, String> environment;
    private final Map<String, Setting> settings = new LinkedHashMap<>();
    private final Set<String> known = new LinkedHashSet<>();
    /** Sections whose entries have names of their own: no key below them need be known. */
    private final Set<String> named = new LinkedHashSet<>();

    private final Set<String> usedVariables = new TreeSet<>();
    private final List<ConfigProblem> problems = new ArrayList<>();

    ConfigReader(ConfigDocument document, Map<String, String> environment) {
        this.document = document;
        this.environment = new TreeMap<>(environment);
    }

    /** A value that was given, and where. */
    private record Given(@Nullable Object value, ConfigNode node, String origin) {
        boolean fromEnvironment() {
            return origin.startsWith("environment");
        }

        boolean isNull() {
            return node instanceof ConfigNode.Scalar && value == null;
        }
    }

    /** Returns the names of the entries of a section, from the file and the environment, or nothing where it is none. */
    Set<String> namesIn(String section, Set<String> candidates) {
        Set<String> names = new LinkedHashSet<>();
        named.add(section);
        find(section).ifPresent(node -> {
            if (node instanceof ConfigNode.Section s) {
                names.addAll(s.entries().keySet());
            } else {
                wrongType(section, node);
            }
        });
        for (String candidate : candidates) {
            String prefix = variable(section + "." + candidate) + "_";
            if (environment.keySet().stream().anyMatch(v -> v.startsWith(prefix))) {
                names.add(candidate);
            }
        }
        return names;
    }

    /** Returns true where the file has a section there, and not a single value. */
    boolean isSection(String path) {
        return find(path).filter(ConfigNode.Section.class::isInstance).isPresent();
    }

    /** Returns true where the file has a list there. */
    boolean isList(String path) {
        return find(path).filter(ConfigNode.Sequence.class::isInstance).isPresent();
    }

    /** Returns true where the section is given, as a section, in the file or by a variable. */
    boolean hasSection(String path) {
        Optional<ConfigNode> node = find(path);
        if (node.isPresent() && !(node.get() instanceof ConfigNode.Section)) {
            wrongType(path, node.get());
        }
        return node.filter(ConfigNode.Section.class::isInstance).isPresent()
                || environment.keySet().stream().anyMatch(v -> v.startsWith(variable(path) + "_"));
    }

    /** Returns every setting below a section that is a plain value or a list of them, a line each, by its name below it, and makes it known. */
    Map<String, String> valuesBelow(String section) {
        Map<String, String> values = new LinkedHashMap<>();
        find(section)
                .filter(ConfigNode.Section.class::isInstance)
                .ifPresent(n -> collect((ConfigNode.Section) n, "", (name, text) -> values.put(name, text), section));
        return values;
    }

    private void collect(
            ConfigNode.Section section,
            String prefix,
            java.util.function.BiConsumer<String, String> each,
            String base) {
        section.entries().forEach((name, node) -> {
            String path = prefix.isEmpty() ? name : prefix + "." + name;
            if (node instanceof ConfigNode.Section inner) {
                collect(inner, path, each, base);
            } else if (node instanceof ConfigNode.Sequence list) {
                each.accept(path, list.items().stream().map(ConfigReader::text).collect(Collectors.joining("\n")));
            } else {
                each.accept(path, text(node));
            }
        });
    }

    /** Returns a boolean: true/1/yes/on and false/0/no/off in any case, numbers by truth; anything else is the default. */
    boolean bool(String path, boolean byDefault) {
        return read(
                path,
                byDefault,
                given -> {
                    if (given.value() instanceof Boolean b) {
                        return Optional.of(b);
                    }
                    if (given.value() instanceof Number n) {
                        return Optional.of(n.doubleValue() != 0);
                    }
                    String text = String.valueOf(given.value()).strip().toLowerCase(Locale.ROOT);
                    return TRUE.contains(text)
                            ? Optional.of(true)
                            : FALSE.contains(text) ? Optional.of(false) : Optional.empty();
                },
                "true or false");
    }

    /** Returns a whole number from {@code least} to {@code most}; anything else, a fraction too, is the default (with a warning). */
    long wholeWithin(String path, long byDefault, long least, long most) {
        return read(
                path,
                byDefault,
                given -> whole(given).filter(n -> n >= least && n <= most),
                most == Long.MAX_VALUE
                        ? "a whole number of at least " + least
                        : "a whole number from " + least + " to " + most);
    }

    /** The same of what is written as a whole number only: neither a fraction nor a text is one. */
    long wholeAsWritten(String path, long byDefault, long least, long most) {
        return read(
                path,
                byDefault,
                given -> given.value() instanceof BigInteger || given.fromEnvironment()
                        ? whole(given).filter(n -> n >= least && n <= most)
                        : Optional.empty(),
                "a whole number from " + least + " to " + most);
    }

    /** Returns whether the file or a variable sets it, be it to nothing. */
    boolean isGiven(String path) {
        return find(path).isPresent() || variableNamed(variable(path)).isPresent();
    }

    /** Returns a whole number of at least 0; negative ones become 0. */
    long notNegative(String path, long byDefault) {
        return read(
                path,
                byDefault,
                given -> decimal(given).flatMap(ConfigReader::cut).map(n -> Math.max(0, n)),
                "a whole number");
    }

    /** Returns a number; texts are parsed; what is no number is the default. */
    double number(String path, double byDefault) {
        return read(path, byDefault, given -> decimal(given).map(BigDecimal::doubleValue), "a number");
    }

    /**
     * Returns a positive whole number, or nothing: 0, negative numbers and null switch it off, and so do, with a warning,
     * booleans, fractions and texts. In a variable the number is a text.
     */
    Optional<Integer> positiveOrOff(String path) {
        int value = read(path, 0, ConfigReader::positiveOrZero, "a positive whole number");
        return value > 0 ? Optional.of(value) : Optional.empty();
    }

    private static Optional<Integer> positiveOrZero(Given given) {
        boolean isNumber = given.value() instanceof BigInteger || given.fromEnvironment();
        return isNumber
                ? decimal(given)
                        .filter(d -> d.stripTrailingZeros().scale() <= 0)
                        .map(d -> d.max(BigDecimal.ZERO)
                                .min(BigDecimal.valueOf(Integer.MAX_VALUE))
                                .intValueExact())
                : Optional.empty();
    }

    /** Returns one of some words, in any case; anything else is the default. */
    String word(String path, String byDefault, Set<String> words) {
        return read(
                path,
                byDefault,
                given -> Optional.of(String.valueOf(given.value()).strip().toLowerCase(Locale.ROOT))
                        .filter(words::contains),
                "one of " + words.stream().sorted().collect(Collectors.joining(", ")));
    }

    /** Returns a text, or nothing where it is not set, null or blank. */
    Optional<String> text(String path) {
        return read(
                path,
                Optional.<String>empty(),
                given -> given.node() instanceof ConfigNode.Scalar
                        ? Optional.of(Optional.of(String.valueOf(given.value()).strip())
                                .filter(t -> !t.isEmpty()))
                        : Optional.empty(),
                "a text");
    }

    /** Returns a list of texts; a single text is a list of one; in a variable commas separate. */
    List<String> texts(String path, List<String> byDefault) {
        return read(
                path,
                byDefault,
                given -> {
                    if (given.node() instanceof ConfigNode.Sequence list) {
                        return list.items().stream().allMatch(ConfigNode.Scalar.class::isInstance)
                                ? Optional.of(list.items().stream()
                                        .map(ConfigReader::text)
                                        .map(String::strip)
                                        .filter(t -> !t.isEmpty())
                                        .toList())
                                : Optional.empty();
                    }
                    if (given.node() instanceof ConfigNode.Section) {
                        return Optional.empty();
                    }
                    String text = String.valueOf(given.value());
                    List<String> parts = given.fromEnvironment() ? List.of(text.split(",")) : List.of(text);
                    return Optional.of(parts.stream()
                            .map(String::strip)
                            .filter(t -> !t.isEmpty())
                            .toList());
                },
                "a list");
    }

    /** Notes that a setting was given and has an effect, although nothing reads it one by one. */
    void know(String path) {
        known.add(path);
    }

    /** Adds a problem that stops the start. */
    void error(String path, String message) {
        problems.add(new ConfigProblem(ConfigProblem.Severity.ERROR, where(path), message));
    }

    /** Adds a problem that does not. */
    void warn(String path, String message) {
        problems.add(new ConfigProblem(ConfigProblem.Severity.WARNING, where(path), message));
    }

    /** Returns the text of a variable that is not named by the rule, such as an older name; blank counts as not set. */
    Optional<String> variableNamed(String name) {
        return Optional.ofNullable(environment.get(name)).map(String::strip).filter(v -> !v.isEmpty());
    }

    /** Replaces the recorded value of a setting that something else overrides. */
    void override(String path, String value, String origin) {
        settings.put(path, new Setting(path, value, origin));
    }

    /** Reads an adapter's own settings; a name ending in {@code .*} means everything below it, and a list is a line for each item. */
    Map<String, String> valuesOf(String path, Set<String> names) {
        Map<String, String> values = new LinkedHashMap<>();
        for (String name : names.stream().sorted().toList()) {
            if (name.endsWith(".*")) {
                String below = name.substring(0, name.length() - 2);
                know(path + "." + below);
                valuesBelow(path + "." + below).forEach((n, v) -> values.put(below + "." + n, v));
            } else {
                List<String> texts = texts(path + "." + name, List.of());
                if (!texts.isEmpty()) {
                    values.put(name, String.join("\n", texts));
                }
            }
        }
        return values;
    }

    /** Returns where the value of a setting that was read comes from; {@code default} where it was not read. */
    String originOf(String path) {
        return Optional.ofNullable(settings.get(path)).map(Setting::origin).orElse("default");
    }

    /** Returns all settings read, in order. */
    List<Setting> settings() {
        return List.copyOf(settings.values());
    }

    /** Returns all problems: those found while reading, and an error for each key that nothing reads. */
    List<ConfigProblem> problems() {
        List<ConfigProblem> all = new ArrayList<>(problems);
        unknown(document.root(), "", all);
        log(all);
        for (String variable : environment.keySet()) {
            if (variable.startsWith(PREFIX)
                    && !NOT_SETTINGS.contains(variable)
                    && !usedVariables.contains(variable)
                    && known.stream().noneMatch(k -> variable(k).equals(variable))) {
                all.add(new ConfigProblem(
                        ConfigProblem.Severity.WARNING,
                        "environment " + variable,
                        "no setting has this name; it is ignored"
                                + suggestion(
                                        variable,
                                        known.stream()
                                                .map(ConfigReader::variable)
                                                .toList())));
            }
        }
        return Collections.unmodifiableList(all);
    }

    /** The log takes what it is told before there is a configuration, and says nothing of what it does not understand. */
    private void log(List<ConfigProblem> all) {
        variableNamed("PARLEY_LOG")
                .filter(level -> !LOG_LEVELS.contains(level.toUpperCase(Locale.ROOT)))
                .ifPresent(level -> all.add(new ConfigProblem(
                        ConfigProblem.Severity.WARNING,
                        "environment PARLEY_LOG",
                        "\"" + level + "\" is no level, so DEBUG is used; possible are "
                                + String.join(", ", LOG_LEVELS))));
        variableNamed("PARLEY_LOG_FORMAT")
                .filter(format -> !format.equals("json"))
                .ifPresent(
                        format -> all.add(
                                new ConfigProblem(
                                        ConfigProblem.Severity.WARNING,
                                        "environment PARLEY_LOG_FORMAT",
                                        "\"" + format
                                                + "\" is no format, so lines of text are written; possible is json, or leave it unset")));
    }

    private void unknown(ConfigNode.Section section, String prefix, List<ConfigProblem> all) {
        section.entries().forEach((name, node) -> {
            String path = prefix.isEmpty() ? name : prefix + "." + name;
            if (known.contains(path)) {
                return;
            }
            boolean leadsOn = known.stream().anyMatch(k -> k.startsWith(path + "."));
            if (!leadsOn) {
                all.add(new ConfigProblem(
                        ConfigProblem.Severity.ERROR,
                        document.name() + ":" + node.line(),
                        "unknown key \"" + path + "\"" + suggestion(path, suggestions(path))));
            } else if (node instanceof ConfigNode.Section inner) {
                unknown(inner, path, all);
            }
        });
    }

    /** Known keys and the sections they stand in, so that a misspelt section is recognised too. */
    private List<String> suggestions(String path) {
        Set<String> all = new LinkedHashSet<>(known);
        all.addAll(named);
        int depth = path.split("\\.", -1).length;
        for (String k : known) {
            String[] parts = k.split("\\.", -1);
            if (parts.length > depth) {
                all.add(String.join(".", List.of(parts).subList(0, depth)));
            }
        }
        return List.copyOf(all);
    }

    static String suggestion(String given, Collection<String> candidates) {
        return Nearest.to(given, candidates)
                .map(near -> "; did you mean \"" + near + "\"?")
                .orElse("; remove it, or see `parley config show` for what there is");
    }

    private <T> T read(String path, T byDefault, Function<Given, Optional<T>> coercion, String expected) {
        known.add(path);
        Optional<Given> given = given(path);
        T value = byDefault;
        String origin = "default";
        if (given.isPresent() && !given.get().isNull()) {
            Given g = given.get();
            boolean scalarWanted = !(byDefault instanceof List);
            Optional<T> coerced =
                    scalarWanted && !(g.node() instanceof ConfigNode.Scalar) ? Optional.empty() : coercion.apply(g);
            if (coerced.isPresent()) {
                value = coerced.get();
                origin = g.origin();
            } else {
                problems.add(new ConfigProblem(
                        ConfigProblem.Severity.WARNING,
                        g.origin(),
                        path + " is " + g.node().kind() + ", not " + expected + "; "
                                + (byDefault.equals(Optional.empty()) || byDefault.equals(List.of())
                                        ? "it counts as not set"
                                        : "the default " + show(byDefault) + " is used")));
            }
        }
        settings.put(path, new Setting(path, show(value), origin));
        return value;
    }

    private static String show(@Nullable Object value) {
        if (value instanceof Optional<?> o) {
            return o.map(ConfigReader::show).orElse("(none)");
        }
        if ((value instanceof List<?> items && items.isEmpty()) || "".equals(value)) {
            return "(none)";
        }
        return String.valueOf(value);
    }

    private Optional<Given> given(String path) {
        String variable = variable(path);
        @Nullable String text = environment.get(variable);
        if (text != null && !text.isBlank()) {
            usedVariables.add(variable);
            return Optional.of(new Given(text, new ConfigNode.Scalar(text, 0), "environment " + variable));
        }
        return find(path)
                .map(node -> new Given(
                        node instanceof ConfigNode.Scalar s ? s.value() : null,
                        node,
                        document.name() + ":" + node.line()));
    }

    private Optional<ConfigNode> find(String path) {
        ConfigNode node = document.root();
        for (String name : path.split("\\.", -1)) {
            if (!(node instanceof ConfigNode.Section section)) {
                return Optional.empty();
            }
            @Nullable ConfigNode next = section.entries().get(name);
            if (next == null) {
                return Optional.empty();
            }
            node = next;
        }
        return Optional.of(node);
    }

    private String where(String path) {
        return given(path).map(Given::origin).orElse(document.name());
    }

    private void wrongType(String path, ConfigNode node) {
        if (node instanceof ConfigNode.Scalar s && s.value() == null) {
            return;
        }
        ConfigProblem problem = new ConfigProblem(
                ConfigProblem.Severity.WARNING,
                document.name() + ":" + node.line(),
                path + " is " + node.kind() + ", not a section; the defaults are used");
        if (!problems.contains(problem)) {
            problems.add(problem);
        }
        known.add(path);
    }

    static String variable(String path) {
        return PREFIX + path.toUpperCase(Locale.ROOT).replace('.', '_').replace('-', '_');
    }

    private static String text(ConfigNode node) {
        return node instanceof ConfigNode.Scalar s && s.value() != null ? String.valueOf(s.value()) : "";
    }

    private static Optional<BigDecimal> decimal(Given given) {
        if (given.value() instanceof BigDecimal d) {
            return Optional.of(d);
        }
        if (given.value() instanceof BigInteger i) {
            return Optional.of(new BigDecimal(i));
        }
        if (given.value() instanceof String text && text.length() <= 32) {
            try {
                return Optional.of(new BigDecimal(text.strip()));
            } catch (NumberFormatException e) {
                return Optional.empty();
            }
        }
        return Optional.empty();
    }

    private static Optional<Long> whole(Given given) {
        return decimal(given).filter(d -> d.stripTrailingZeros().scale() <= 0).flatMap(ConfigReader::cut);
    }

    private static Optional<Long> cut(BigDecimal number) {
        try {
            return Optional.of(number.setScale(0, RoundingMode.DOWN).longValueExact());
        } catch (ArithmeticException e) {
            return Optional.empty();
        }
    }
}
