package dev.parley.bootstrap.process;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.parley.bootstrap.process.ParleyProcess.Ended;
import java.io.File;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A gateway, command lines and other software write one file at the same time (storage 2). */
class OneFileIT {
    private static final int ROUNDS = Integer.getInteger("parley.rounds", 1);
    private static final int IMPORTED = 20;
    private static final ObjectMapper JSON = new ObjectMapper();

    @TempDir
    Path directory;

    private Path home;

    @BeforeEach
    void aHome() throws Exception {
        home = Files.createDirectory(directory.resolve("home"));
        // On a busy machine the others may hold the lock for longer than people would wait.
        Files.writeString(
                home.resolve("parley.yaml"), "platforms:\n  http:\n    port: 0\nstorage:\n  busy_patience: 60\n");
    }

    @Test
    @DisplayName("No error surfaces, no message is lost, and the file and its index are sound afterwards")
    void everybodyWritesAtOnce() throws Exception {
        int said = 10 * ROUNDS;
        int plain = 100 * ROUNDS;
        ExecutorService threads = Executors.newFixedThreadPool(4);
        try (ParleyProcess gateway = ParleyProcess.gateway(home)) {
            Caller caller = new Caller(gateway.ready(), home);
            List<Future<Boolean>> work = List.of(
                    threads.submit(() -> talk(caller, said)),
                    threads.submit(() -> writePlainly(plain)),
                    threads.submit(() -> command("a")),
                    threads.submit(() -> command("b")));
            for (Future<Boolean> each : work) {
                assertThat(each.get()).isTrue();
            }
            assertThat(gateway.terminate()).isZero();
            assertThat(gateway.errors()).doesNotContain("ERROR", "Exception");
        } finally {
            threads.shutdownNow();
        }

        Map<String, Integer> messages = messagesBySession();
        assertThat(messages).containsEntry("plain", plain);
        for (int round = 0; round < ROUNDS; round++) {
            assertThat(messages).containsEntry("kept-a-" + round, IMPORTED).containsEntry("kept-b-" + round, IMPORTED);
            assertThat(messages).doesNotContainKeys("gone-a-" + round, "gone-b-" + round);
        }
        assertThat(messages.entrySet().stream()
                        .filter(entry -> !entry.getKey().startsWith("kept")
                                && !entry.getKey().equals("plain"))
                        .mapToInt(Map.Entry::getValue)
                        .sum())
                .isEqualTo(2 * said);
        Ended check = ParleyProcess.run(home, "", "storage", "check");
        assertThat(check.code()).as(check.out() + check.err()).isZero();
    }

    private boolean talk(Caller caller, int times) throws Exception {
        for (int i = 0; i < times; i++) {
            assertThat(caller.say("c" + i % 3, "spoken " + i, "m" + i)
                            .body()
                            .path("reply")
                            .asText())
                    .isEqualTo("spoken " + i);
        }
        return true;
    }

    private boolean writePlainly(int messages) throws Exception {
        Path source = directory.resolve("PlainWriter.java");
        try (InputStream in = OneFileIT.class.getResourceAsStream("/hammer/PlainWriter.java")) {
            Files.copy(Objects.requireNonNull(in), source);
        }
        Path output = directory.resolve("plain.out");
        try (Stream<Path> jars = Files.list(Path.of(System.getProperty("parley.lib")))) {
            String classPath = jars.map(Path::toString)
                    .filter(jar -> jar.contains("sqlite-jdbc") || jar.contains("slf4j-api"))
                    .collect(Collectors.joining(File.pathSeparator));
            Process process = new ProcessBuilder(
                            Path.of(System.getProperty("java.home"), "bin", "java")
                                    .toString(),
                            "-XX:TieredStopAtLevel=1",
                            "-cp",
                            classPath,
                            source.toString(),
                            home.resolve("state.db").toString(),
                            Integer.toString(messages))
                    .redirectErrorStream(true)
                    .redirectOutput(output.toFile())
                    .start();
            assertThat(process.waitFor()).as(Files.readString(output)).isZero();
        }
        return true;
    }

    private boolean command(String name) throws Exception {
        for (int round = 0; round < ROUNDS; round++) {
            String kept = "kept-" + name + "-" + round;
            String gone = "gone-" + name + "-" + round;
            List<Callable<Ended>> commands = List.of(
                    () -> ParleyProcess.run(home, archive(kept) + archive(gone), "sessions", "import", "-"),
                    () -> sessions("title", kept, "Title " + kept),
                    () -> sessions("end", gone, "user_exit"),
                    () -> sessions("search", "imported", "--json"),
                    () -> sessions("reopen", gone),
                    () -> sessions("delete", gone, "--yes"),
                    () -> sessions("prune", "--older-than", "1", "--source", "nobody", "--yes"),
                    () -> sessions(
                            "export", "-o", directory.resolve(kept + ".jsonl").toString()));
            for (Callable<Ended> each : commands) {
                Ended ended = each.call();
                assertThat(ended.code()).as(ended.err()).isZero();
                assertThat(ended.err()).doesNotContain("parley:", "Exception");
            }
        }
        return true;
    }

    private Ended sessions(String... arguments) throws Exception {
        return ParleyProcess.run(
                home,
                "",
                Stream.concat(Stream.of("sessions"), Stream.of(arguments)).toArray(String[]::new));
    }

    private static String archive(String session) {
        StringBuilder line = new StringBuilder(
                "{\"id\":\"" + session + "\",\"source\":\"cli\",\"started_at\":1700000000.5,\"messages\":[");
        for (int i = 0; i < IMPORTED; i++) {
            line.append(i == 0 ? "" : ",")
                    .append("{\"role\":\"user\",\"content\":\"imported ")
                    .append(i)
                    .append("\",\"timestamp\":")
                    .append(1_700_000_001 + i)
                    .append("}");
        }
        return line.append("]}\n").toString();
    }

    private Map<String, Integer> messagesBySession() throws Exception {
        Ended exported = sessions("export");
        assertThat(exported.code()).as(exported.err()).isZero();
        Map<String, Integer> counts = new HashMap<>();
        for (String line : exported.out().lines().toList()) {
            JsonNode session = JSON.readTree(line);
            counts.put(session.path("id").asText(), session.path("messages").size());
        }
        return counts;
    }
}
