package dev.parley.benchmarks;

import dev.parley.application.spi.Storage;
import dev.parley.application.spi.StorageSettings;
import dev.parley.domain.change.Batch;
import dev.parley.domain.change.Change;
import dev.parley.domain.transcript.Content;
import dev.parley.domain.transcript.Message;
import dev.parley.domain.transcript.MessageId;
import dev.parley.domain.transcript.Role;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Runs every command that looks at much on a large home, each as a process of its own with a small heap, and appends beside it as a gateway
 * does: how long the command takes, what memory it has at most, how long an append waits at worst, and how large the log beside the
 * database becomes. The home is a copy; commands that change it come last.
 */
final class Commands {
    /** Says where the program of the distribution is. */
    static final String PROGRAM = "parley.benchmarks.program";

    private static final int USUAL = 1_000_000;
    private static final int HUGE = 7_000_000;
    private static final int QUICK = 20_000;
    private static final String HEAP = "-Xmx256m";
    private static final int WARM_UP = 300;
    private static final Duration BETWEEN_APPENDS = Duration.ofMillis(10);
    private static final Duration BETWEEN_LOOKS = Duration.ofMillis(50);

    private final Path home;
    private final Path database;

    private Commands(Path home) {
        this.home = home;
        this.database = home.resolve("state.db");
    }

    /** What was seen of a process while it ran. */
    private record Seen(int exit, double seconds, double processor, long peakMegabytes, long logMegabytes) {}

    /**
     * Runs the commands whose names are given, else all, on a home of 1,000,000 messages and prints a table in Markdown. {@code --huge} takes
     * 7,000,000, a file of about 10 GB, {@code --quick} 20,000.
     */
    public static void main(String[] arguments) throws Exception {
        List<String> options = List.of(arguments);
        int messages = options.contains("--huge") ? HUGE : options.contains("--quick") ? QUICK : USUAL;
        List<String> only =
                options.stream().filter(each -> !each.startsWith("--")).toList();
        Path made = ScaleHome.of(messages);
        Path home = Files.createTempDirectory(made.getParent(), "commands-");
        try {
            Files.copy(made.resolve("state.db"), home.resolve("state.db"));
            new Commands(home).run(only);
        } finally {
            Stores.remove(home);
        }
    }

    private void run(List<String> only) throws Exception {
        System.out.println(
                "| Command | exit | s | processor, s | memory, MB | worst append, ms | p99, ms | appends | log, MB |");
        System.out.println("|---|---|---|---|---|---|---|---|---|");
        for (Map.Entry<String, List<String>> each : commands().entrySet()) {
            if (only.isEmpty() || only.contains(each.getKey())) {
                System.out.println(line(each.getKey(), each.getValue()));
            }
        }
    }

    private Map<String, List<String>> commands() {
        Path out = home.resolve("export.jsonl");
        Map<String, List<String>> commands = new LinkedHashMap<>();
        commands.put("lanes list", List.of("lanes", "list"));
        commands.put("lanes list --json", List.of("lanes", "list", "--json"));
        commands.put("sessions list", List.of("sessions", "list"));
        commands.put("sessions list by activity", List.of("sessions", "list", "--sort", "active"));
        commands.put("sessions list of all", List.of("sessions", "list", "--limit", "-1", "--json"));
        commands.put(
                "sessions show",
                List.of("sessions", "show", ScaleHome.session(0).value()));
        commands.put("sessions search", List.of("sessions", "search", ChatTexts.TWO_WORDS));
        commands.put("sessions search, Chinese", List.of("sessions", "search", ChatTexts.SHORT_CJK));
        commands.put("sessions stats", List.of("sessions", "stats"));
        commands.put("sessions export", List.of("sessions", "export", "-o", out.toString()));
        commands.put(
                "sessions import",
                List.of("sessions", "--db", home.resolve("imported.db").toString(), "import", out.toString()));
        commands.put("storage status", List.of("storage", "status"));
        commands.put("storage check", List.of("storage", "check"));
        commands.put("sessions prune --dry-run", List.of("sessions", "prune", "--older-than", "0", "--dry-run"));
        commands.put("storage copy", List.of("storage", "copy", "--from", "sqlite:state.db", "--to", "sqlite:copy.db"));
        commands.put("sessions prune", List.of("sessions", "prune", "--older-than", "0", "--yes"));
        commands.put("storage upgrade --shared", List.of("storage", "upgrade", "--shared"));
        commands.put("storage upgrade --compact", List.of("storage", "upgrade", "--compact"));
        return commands;
    }

    private String line(String name, List<String> arguments) throws Exception {
        try (Storage storage = Stores.sqlite(database, StorageSettings.Mode.READ_WRITE)) {
            Appending appending = new Appending(storage);
            appending.warmUp();
            appending.begin();
            Seen seen;
            List<Long> waits;
            try {
                seen = run(name, arguments);
            } finally {
                waits = appending.end();
            }
            return String.format(
                    Locale.ROOT,
                    "| `%s` | %d | %.1f | %.1f | %d | %.0f | %.0f | %d | %d |",
                    name,
                    seen.exit(),
                    seen.seconds(),
                    seen.processor(),
                    seen.peakMegabytes(),
                    millis(waits, 1),
                    millis(waits, 0.99),
                    waits.size(),
                    seen.logMegabytes());
        }
    }

    private Seen run(String name, List<String> arguments) throws IOException, InterruptedException {
        List<String> words =
                new ArrayList<>(List.of(System.getProperty(PROGRAM, "./parley"), "--home", home.toString()));
        words.addAll(arguments);
        File printed = home.resolve(name.replaceAll("\\W+", "-") + ".out").toFile();
        ProcessBuilder builder = new ProcessBuilder(words)
                .redirectOutput(printed)
                .redirectError(ProcessBuilder.Redirect.appendTo(
                        home.resolve("errors.txt").toFile()));
        builder.environment().put("PARLEY_JAVA_OPTIONS", HEAP);
        Instant begun = Instant.now();
        Process process = builder.start();
        long peak = 0;
        long log = 0;
        Duration processor = Duration.ZERO;
        while (!process.waitFor(BETWEEN_LOOKS.toMillis(), TimeUnit.MILLISECONDS)) {
            peak = Math.max(peak, megabytes(process, "VmHWM"));
            processor = process.toHandle().info().totalCpuDuration().orElse(processor);
            log = Math.max(log, megabytes(database.resolveSibling("state.db-wal")));
        }
        return new Seen(
                process.exitValue(),
                Duration.between(begun, Instant.now()).toMillis() / 1e3,
                processor.toMillis() / 1e3,
                peak,
                log);
    }

    private static long megabytes(Path file) {
        try {
            return Files.size(file) >> 20;
        } catch (IOException e) {
            return 0;
        }
    }

    /** Returns what the system says of the memory of a process under this name, or 0 where it says nothing. */
    static long megabytes(Process process, String name) {
        try {
            return Files.readAllLines(Path.of("/proc", String.valueOf(process.pid()), "status")).stream()
                    .filter(line -> line.startsWith(name + ":"))
                    .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")) >> 10)
                    .findFirst()
                    .orElse(0);
        } catch (IOException | UncheckedIOException e) {
            return 0;
        }
    }

    private static double millis(List<Long> sorted, double part) {
        return sorted.isEmpty() ? 0 : sorted.get((int) Math.ceil((sorted.size() - 1) * part)) / 1e6;
    }

    /** Appends a message now and then, and keeps how long each took. */
    private static final class Appending {
        private final Storage storage;
        private final CountDownLatch ended = new CountDownLatch(1);
        private final List<Long> waits = new ArrayList<>();
        private final Thread thread = new Thread(this::append, "appending");

        Appending(Storage storage) {
            this.storage = storage;
        }

        /** Appends as a gateway that runs for a while has done, so that no first call is measured. */
        void warmUp() {
            for (int number = 0; number < WARM_UP; number++) {
                append(number);
            }
        }

        void begin() {
            thread.start();
        }

        private void append() {
            try {
                for (int number = 0; !ended.await(BETWEEN_APPENDS.toMillis(), TimeUnit.MILLISECONDS); number++) {
                    long begun = System.nanoTime();
                    append(number);
                    waits.add(System.nanoTime() - begun);
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }

        private void append(int number) {
            Change said = new Change.AppendMessages(
                    ScaleHome.session(0),
                    List.of(Message.builder(
                                    new MessageId("beside-" + System.nanoTime()),
                                    Role.USER,
                                    Content.text(ChatTexts.of(number)),
                                    SqliteFiles.START.plusMillis(number))
                            .build()));
            storage.ledger().commit(new Batch(SqliteFiles.id("beside"), List.of(), List.of(said)));
        }

        /** Returns how long the appends took in nanoseconds, the shortest first. */
        List<Long> end() throws InterruptedException {
            ended.countDown();
            thread.join();
            Collections.sort(waits);
            return waits;
        }
    }
}
