package dev.parley.bootstrap.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A gateway process whose database is locked, gone or no database: it goes on, says so, and merges back without a restart. */
class DegradedGatewayIT {
    private static final String LOCK_HOLDER = """
            import java.sql.Connection;
            import java.sql.DriverManager;

            public class LockHolder {
                public static void main(String[] arguments) throws Exception {
                    try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + arguments[0])) {
                        connection.createStatement().execute("begin immediate");
                        System.out.println("locked");
                        System.in.read();
                    }
                }
            }
            """;

    @TempDir
    Path directory;

    private Path home;

    @BeforeEach
    void aHome() throws Exception {
        home = Files.createDirectory(directory.resolve("home"));
        Files.writeString(
                home.resolve("parley.yaml"),
                "platforms:\n  http:\n    port: 0\n    home_channel: ops\nstorage:\n  busy_patience: 1\n");
    }

    private static String health(Caller caller) {
        return caller.get("/healthz").body().path("status").asText();
    }

    private static void say(Caller caller, String text, String id) {
        Caller.Answer answer = caller.say("c1", text, id);
        assertThat(answer.status()).as(answer.body().toString()).isEqualTo(200);
        assertThat(answer.body().path("reply").asText()).isEqualTo(text);
    }

    private void moveDatabase(Path from, Path to) throws IOException {
        Files.createDirectories(to);
        for (String name : List.of("state.db", "state.db-wal", "state.db-shm")) {
            Files.deleteIfExists(to.resolve(name));
            if (Files.exists(from.resolve(name))) {
                Files.move(from.resolve(name), to.resolve(name));
            }
        }
    }

    /** Holds the write lock of the database until it is told to let go. */
    private Process lockHolder() throws Exception {
        Path source = Files.writeString(directory.resolve("LockHolder.java"), LOCK_HOLDER);
        Process holder = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("parley.lib") + "/*",
                        source.toString(),
                        home.resolve("state.db").toString())
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        BufferedReader lines = holder.inputReader(StandardCharsets.UTF_8);
        for (String line = lines.readLine(); !"locked".equals(line); line = lines.readLine()) {
            assertThat(line).as("what the holder of the lock says").isNotNull();
        }
        return holder;
    }

    @Test
    @DisplayName(
            "Commit rules 6, 9 and 10: a foreign lock, and a database that is moved away, stop nobody and lose nothing")
    void aLockAndADatabaseThatIsGoneStopNobody() throws Exception {
        String session;
        try (ParleyProcess gateway = ParleyProcess.gateway(home)) {
            Caller caller = new Caller(gateway.ready(), home);
            say(caller, "before", "m1");
            session = caller.lane("c1").path("session_id").asText();

            Process holder = lockHolder();
            say(caller, "while it is locked", "m2");
            assertThat(health(caller)).isEqualTo("degraded");
            assertThat(caller.get("/healthz").body().path("degraded_because").asText())
                    .contains("locked by another process");
            assertThat(caller.say("c1", "/status", "m3").body().path("reply").asText())
                    .contains("degraded");
            holder.destroy();
            assertThat(holder.waitFor(ParleyProcess.PATIENCE_SECONDS, TimeUnit.SECONDS))
                    .isTrue();
            gateway.until("it is whole again", () -> health(caller).equals("ok"));

            Path elsewhere = directory.resolve("elsewhere");
            moveDatabase(home, elsewhere);
            say(caller, "while it is gone", "m4");
            assertThat(health(caller)).isEqualTo("degraded");
            assertThat(home.resolve("state.db")).doesNotExist();
            moveDatabase(elsewhere, home);
            gateway.until("it is whole once more", () -> health(caller).equals("ok"));
            assertThat(caller.transcript(session))
                    .containsExactly(
                            "user: before",
                            "assistant: before",
                            "user: while it is locked",
                            "assistant: while it is locked",
                            "user: while it is gone",
                            "assistant: while it is gone");
            assertThat(caller.lane("c1").path("session_id").asText()).isEqualTo(session);
            gateway.until("the operator is told", () -> caller.sent("ops").size() >= 4);
            assertThat(caller.sent("ops"))
                    .satisfiesExactly(
                            degraded -> assertThat(degraded).contains("Storage is degraded"),
                            healed -> assertThat(healed).contains("whole again"),
                            degraded -> assertThat(degraded).contains("Storage is degraded"),
                            healed -> assertThat(healed).contains("whole again"));
            assertThat(gateway.terminate()).isZero();
        }
        assertThat(ParleyProcess.run(home, "", "storage", "check").code()).isZero();
    }

    @Test
    @DisplayName(
            "Commit rules 3, 9 and 10: killed and started on a file that is no database it keeps its lanes and knows what it received")
    void aStartWithoutADatabaseKeepsItsLanes() throws Exception {
        String session;
        try (ParleyProcess gateway = ParleyProcess.gateway(home)) {
            Caller caller = new Caller(gateway.ready(), home);
            say(caller, "before", "m1");
            session = caller.lane("c1").path("session_id").asText();
            gateway.kill();
        }
        Path elsewhere = directory.resolve("elsewhere");
        moveDatabase(home, elsewhere);
        Files.writeString(home.resolve("state.db"), "this is no database");
        try (ParleyProcess gateway = ParleyProcess.gateway(home)) {
            Caller caller = new Caller(gateway.ready(), home);
            assertThat(health(caller)).isEqualTo("degraded");
            assertThat(caller.lane("c1").path("session_id").asText()).isEqualTo(session);
            assertThat(caller.say("c1", "before", "m1").body().path("duplicate").asBoolean())
                    .isTrue();
            say(caller, "meanwhile", "m2");
            say(caller, "and on", "m3");
            assertThat(caller.get("/v1/sessions").status()).isEqualTo(503);
            assertThat(ParleyProcess.run(home, "", "storage", "status").out())
                    .contains("gateway_status", "degraded", "waiting_batches");
            assertThat(ParleyProcess.run(home, "", "doctor").out())
                    .contains("is not a SQLite database", "batches wait in jsonl:spill");
            assertThat(home.resolve("state.db")).hasContent("this is no database");

            Files.delete(home.resolve("state.db"));
            moveDatabase(elsewhere, home);
            gateway.until("it is whole again", () -> health(caller).equals("ok"));
            assertThat(caller.transcript(session))
                    .containsExactly(
                            "user: before",
                            "assistant: before",
                            "user: meanwhile",
                            "assistant: meanwhile",
                            "user: and on",
                            "assistant: and on");
            assertThat(caller.sent("c1"))
                    .as("told once")
                    .filteredOn(s -> s.contains("without what was said here before"))
                    .hasSize(1);
            assertThat(gateway.terminate()).isZero();
        }
    }
}
