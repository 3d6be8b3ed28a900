package dev.parley.benchmarks;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.util.Statistics;

/**
 * Runs benchmarks and prints a table in Markdown: each measurement beside the plain one of the same run. What {@code x} is compared
 * with is called {@code xPlain}; {@code xByEightThreads} is compared with it by its rate.
 */
public final class Measure {
    private static final String QUICK = "--quick";
    private static final String BESIDE = "--beside";
    private static final String SEARCHES = "--searches";
    private static final String POSTGRES = "--postgres";
    private static final String COMMANDS = "--commands";
    private static final String HUGE = "--huge";
    private static final String PAGES = "--pages";
    private static final String STARTS = "--starts";
    private static final String INSTRUMENTS = "--instruments";
    private static final String PLAIN = "Plain";
    private static final String EIGHT = "ByEightThreads";

    private Measure() {}

    /**
     * Takes patterns of names, all benchmarks where there is none; {@code --quick} measures less, on less; {@code --beside} what
     * {@link Beside} measures instead, {@code --postgres} what {@link PostgresBeside} does, {@code --searches} the searches that cost
     * most; {@code --commands} and {@code --huge} what {@link Commands} does, {@code --pages} what {@link ConsolePages} does,
     * {@code --starts} what {@link Starts} does, {@code --instruments} what {@link Instruments} does.
     */
    public static void main(String[] arguments) throws Exception {
        if (List.of(arguments).contains(BESIDE)) {
            Beside.main(arguments);
            return;
        }
        if (List.of(arguments).contains(SEARCHES)) {
            CostlySearches.main(
                    List.of(arguments).contains(QUICK) ? new String[] {"100000"} : new String[] {"1000000"});
            return;
        }
        if (List.of(arguments).contains(COMMANDS) || List.of(arguments).contains(HUGE)) {
            Commands.main(arguments);
            return;
        }
        if (List.of(arguments).contains(PAGES)) {
            ConsolePages.main(arguments);
            return;
        }
        if (List.of(arguments).contains(STARTS)) {
            Starts.main(arguments);
            return;
        }
        if (List.of(arguments).contains(INSTRUMENTS)) {
            Instruments.main(arguments);
            return;
        }
        if (List.of(arguments).contains(POSTGRES)) {
            PostgresBeside.main(arguments);
            return;
        }
        ChainedOptionsBuilder options = new OptionsBuilder().shouldFailOnError(true);
        for (String argument : arguments) {
            if (!argument.equals(QUICK)) {
                options.include(argument);
            }
        }
        if (List.of(arguments).contains(QUICK)) {
            options.warmupIterations(1)
                    .warmupTime(TimeValue.milliseconds(500))
                    .measurementIterations(1)
                    .measurementTime(TimeValue.seconds(1))
                    .param("messages", "10000");
        }
        print(new Runner(options.build()).run());
    }

    private static void print(Collection<RunResult> results) {
        Map<String, RunResult> named = new LinkedHashMap<>();
        results.forEach(result -> named.put(name(result), result));
        List<String> lines = new ArrayList<>();
        named.forEach((name, result) -> {
            if (!method(result).endsWith(PLAIN)) {
                lines.add(line(result, named.get(plain(result))));
            }
        });
        System.out.printf(
                "%nJava %s, %d processors. Times in microseconds.%n%n",
                System.getProperty("java.version"), Runtime.getRuntime().availableProcessors());
        System.out.println("""
                | Work | p50 | p99 | max | per second | plain p50 | plain p99 | plain max | ratio |
                |---|---|---|---|---|---|---|---|---|""");
        lines.forEach(System.out::println);
    }

    private static String line(RunResult result, @Nullable RunResult plain) {
        Statistics mine = result.getPrimaryResult().getStatistics();
        String secondary = result.getSecondaryResults().values().stream()
                .filter(each -> !method(result).equals(each.getLabel()))
                .filter(Measure::isCounter)
                .map(each -> String.format(Locale.ROOT, "; %s %.0f", words(each.getLabel()), each.getScore()))
                .collect(Collectors.joining());
        return "| " + words(subject(result)) + ": " + words(method(result)) + parameters(result) + secondary + " | "
                + micros(result, mine.getPercentile(50))
                + " | " + micros(result, mine.getPercentile(99)) + " | " + micros(result, mine.getMax()) + " | "
                + String.format(Locale.ROOT, "%.0f", rate(result)) + " | "
                + (plain == null ? "| | | |" : compared(result, plain));
    }

    private static boolean isCounter(Result<?> result) {
        return result.getScoreUnit().equals("#");
    }

    private static String compared(RunResult result, RunResult plain) {
        Statistics other = plain.getPrimaryResult().getStatistics();
        double ratio = method(result).endsWith(EIGHT)
                ? rate(result) / rate(plain)
                : other.getPercentile(50)
                        / result.getPrimaryResult().getStatistics().getPercentile(50);
        return micros(plain, other.getPercentile(50)) + " | " + micros(plain, other.getPercentile(99)) + " | "
                + micros(plain, other.getMax()) + " | " + String.format(Locale.ROOT, "%.2f", ratio) + " |";
    }

    /** Returns how often it was done in a second, by all threads together. */
    private static double rate(RunResult result) {
        return result.getParams().getThreads()
                * 1_000_000
                / inMicros(result, result.getPrimaryResult().getStatistics().getMean());
    }

    private static String micros(RunResult result, double time) {
        double micros = inMicros(result, time);
        return String.format(Locale.ROOT, micros < 100 ? "%.1f" : "%,.0f", micros);
    }

    private static double inMicros(RunResult result, double time) {
        return switch (result.getPrimaryResult().getScoreUnit()) {
            case "ns/op" -> time / 1_000;
            case "us/op" -> time;
            case "ms/op" -> time * 1_000;
            case "s/op" -> time * 1_000_000;
            default ->
                throw new IllegalStateException(
                        "No unit of time: " + result.getPrimaryResult().getScoreUnit());
        };
    }

    private static String name(RunResult result) {
        return result.getParams().getBenchmark() + parameters(result);
    }

    private static String plain(RunResult result) {
        String benchmark = result.getParams().getBenchmark();
        String base =
                benchmark.endsWith(EIGHT) ? benchmark.substring(0, benchmark.length() - EIGHT.length()) : benchmark;
        return base + PLAIN + parameters(result);
    }

    private static String method(RunResult result) {
        String benchmark = result.getParams().getBenchmark();
        return benchmark.substring(benchmark.lastIndexOf('.') + 1);
    }

    /** Returns the name of the class without what all of them have. */
    private static String subject(RunResult result) {
        String[] names = result.getParams().getBenchmark().split("\\.", -1);
        return names[names.length - 2].replace("Benchmark", "");
    }

    private static String parameters(RunResult result) {
        return result.getParams().getParamsKeys().stream()
                .map(key -> ", " + key + " " + result.getParams().getParam(key))
                .collect(Collectors.joining());
    }

    private static String words(String camelCase) {
        return camelCase.replaceAll("(?<=[a-z])(?=[A-Z])", " ").toLowerCase(Locale.ROOT);
    }
}
