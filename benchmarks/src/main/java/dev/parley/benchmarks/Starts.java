package dev.parley.benchmarks;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

/**
 * Measures whole processes of the distribution: how long short commands take, how long a gateway takes until it says where it listens, and
 * what memory and processor it uses while nothing happens. Says something on a quiet machine only.
 */
final class Starts {
    private static final int LARGE = 1_000_000;
    private static final int SMALL = 20_000;
    private static final Duration SETTLING = Duration.ofSeconds(20);
    private static final Duration IDLING = Duration.ofSeconds(30);

    private final String program = System.getProperty(Commands.PROGRAM, "./parley");
    private final int times;
    private final boolean quick;

    private Starts(boolean quick) {
        this.quick = quick;
        this.times = quick ? 3 : 11;
    }

    /** Prints a table in Markdown, of an empty home and one of 100,000 lanes and 1,000,000 messages; {@code --quick} takes 2,000 and 20,000. */
    public static void main(String[] arguments) throws Exception {
        new Starts(List.of(arguments).contains("--quick")).run();
    }

    private void run() throws IOException, InterruptedException {
        Path made = ScaleHome.of(quick ? SMALL : LARGE);
        Path empty = Files.createTempDirectory(made.getParent(), "starts-");
        Path large = Files.createTempDirectory(made.getParent(), "starts-");
        try {
            Files.copy(made.resolve("state.db"), large.resolve("state.db"));
            System.out.println("| What | median | slowest of " + times + " | target |");
            System.out.println("|---|---|---|---|");
            gateway("empty home", empty, "1.2 s");
            gateway("large home", large, "2 s");
            for (Path home : List.of(empty, large)) {
                String which = home.equals(empty) ? "empty" : "large";
                command(which, home, "lanes", "list");
                command(which, home, "sessions", "list");
                command(which, home, "storage", "status");
                command(which, home, "--version");
            }
        } finally {
            Stores.remove(empty);
            Stores.remove(large);
        }
    }

    private void command(String which, Path home, String... words) throws IOException, InterruptedException {
        List<Double> took = new ArrayList<>();
        for (int i = 0; i <= times; i++) {
            long begun = System.nanoTime();
            int exit = start(home, words)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start()
                    .waitFor();
            if (exit != 0) {
                throw new IllegalStateException("The command " + String.join(" ", words) + " ended with " + exit
                        + "; see " + home.resolve("errors.txt") + ".");
            }
            took.add((System.nanoTime() - begun) / 1e9);
        }
        print("`" + String.join(" ", words) + "`, " + which + " home", took, "0.35 s");
    }

    /** The first of the times is left out: it makes what the others find in the memory of the system. */
    private void print(String what, List<Double> took, String target) {
        List<Double> sorted = new ArrayList<>(took.subList(1, took.size()));
        Collections.sort(sorted);
        System.out.printf(
                Locale.ROOT,
                "| %s | %.2f s | %.2f s | ≤ %s |%n",
                what,
                sorted.get(sorted.size() / 2),
                sorted.get(sorted.size() - 1),
                target);
    }

    private void gateway(String which, Path home, String target) throws IOException, InterruptedException {
        Files.writeString(home.resolve("parley.yaml"), "platforms:\n  http:\n    port: 0\n");
        List<Double> took = new ArrayList<>();
        for (int i = 0; i <= times; i++) {
            long begun = System.nanoTime();
            Process gateway = start(home, "gateway").start();
            try (BufferedReader lines = gateway.inputReader(StandardCharsets.UTF_8)) {
                if (lines.readLine() == null) {
                    throw new IllegalStateException(
                            "The gateway did not start; see " + home.resolve("errors.txt") + ".");
                }
                took.add((System.nanoTime() - begun) / 1e9);
                if (i == times) {
                    idle(which, gateway);
                }
            } finally {
                gateway.destroy();
                gateway.waitFor();
            }
        }
        print("gateway ready, " + which, took, target);
    }

    private static void idle(String which, Process gateway) throws IOException, InterruptedException {
        gateway.waitFor(SETTLING.toSeconds(), TimeUnit.SECONDS);
        Duration before = processor(gateway);
        gateway.waitFor(IDLING.toSeconds(), TimeUnit.SECONDS);
        Duration worked = processor(gateway).minus(before);
        System.out.printf(
                Locale.ROOT,
                "| idle gateway, %s | %d MB, %.1f %% of a processor | | ≤ 120 MB |%n",
                which,
                Commands.megabytes(gateway, "VmRSS"),
                worked.toMillis() * 100.0 / IDLING.toMillis());
    }

    private static Duration processor(Process process) {
        return process.toHandle().info().totalCpuDuration().orElse(Duration.ZERO);
    }

    private ProcessBuilder start(Path home, String... words) {
        List<String> all = new ArrayList<>(List.of(program, "--home", home.toString()));
        all.addAll(List.of(words));
        return new ProcessBuilder(all)
                .redirectInput(new File("/dev/null"))
                .redirectError(ProcessBuilder.Redirect.appendTo(
                        home.resolve("errors.txt").toFile()));
    }
}
