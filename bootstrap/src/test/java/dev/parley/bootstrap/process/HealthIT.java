package dev.parley.bootstrap.process;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.parley.bootstrap.cli.PlugInJar;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What probes are told of a gateway process, from its start to its end. */
class HealthIT {
    /** A platform whose start takes until a file is there. */
    private static final String SLOW = """
            public final class Slow implements PlatformProvider {
                public Platform name() { return Platform.of("slow"); }
                public Set<String> settings() { return Set.of(); }
                public ChatPlatform create(ProviderSettings settings) {
                    return new ChatPlatform() {
                        public Platform name() { return Platform.of("slow"); }
                        public Traits traits() { return new Traits(false, true, false); }
                        public void start(InboundListener listener) {
                            try (WatchService changes = settings.home().getFileSystem().newWatchService()) {
                                settings.home().register(changes, StandardWatchEventKinds.ENTRY_CREATE);
                                while (!Files.exists(settings.home().resolve("go"))) {
                                    changes.take().reset();
                                }
                            } catch (Exception e) {
                                throw new IllegalStateException(e);
                            }
                        }
                        public void send(Outgoing message) {}
                        public void stop() {}
                    };
                }
            }
            """;

    @TempDir
    private Path home;

    /** What probes were told, one behind the other. */
    private record Told(String status, int livez, int readyz, int healthz) {}

    private static Told told(Caller caller) {
        int livez = caller.get("/livez").status();
        int readyz = caller.get("/readyz").status();
        Caller.Answer health = caller.get("/healthz");
        return new Told(health.body().path("status").asText(), livez, readyz, health.status());
    }

    private static void told(Caller caller, String status, int livez, int readyz, int healthz) {
        assertThat(told(caller)).isEqualTo(new Told(status, livez, readyz, healthz));
    }

    private static String status(Caller caller) {
        return caller.get("/healthz").body().path("status").asText();
    }

    @Test
    void aGatewayIsAliveWhileItStartsRefusesAndDrainsAndReadyOnlyWhileItTakesMessages() throws Exception {
        Files.writeString(home.resolve("parley.yaml"), """
                platforms:
                  http:
                    port: 0
                    home_channel: ops
                  slow:
                    enabled: true
                agents:
                  echo:
                    delay: 3600
                agent:
                  restart_drain_timeout: 600
                """);
        new PlugInJar().with("PlatformProvider", "Slow", SLOW).into(home, "slow.jar");
        Path address = home.resolve("http-address");
        // A platform that takes more than half a minute to start is waited for no longer, and a machine may be as slow
        // as that.
        boolean seen = false;
        for (int attempt = 0; attempt < 5 && !seen; attempt++) {
            try (ParleyProcess gateway = ParleyProcess.gateway(home)) {
                gateway.until("it listens", () -> !read(address).isBlank());
                Told told = told(new Caller(read(address).strip(), home));
                assertThat(told.livez()).isEqualTo(200);
                if (told.status().equals("starting")) {
                    assertThat(told).isEqualTo(new Told("starting", 200, 503, 503));
                    seen = true;
                }
                gateway.kill();
            }
            Files.deleteIfExists(address);
        }
        assertThat(seen).as("a gateway was seen while it started").isTrue();

        Files.writeString(home.resolve("go"), "");
        try (ParleyProcess gateway = ParleyProcess.gateway(home)) {
            Caller caller = new Caller(gateway.ready(), home);
            told(caller, "ok", 200, 200, 200);
            assertThat(caller.leave("c1", "an hour's work", "m1").status()).isEqualTo(202);

            limitFiles(gateway, "--fsize=0:");
            assertThat(caller.leave("c2", "there is no room", "m2").status()).isEqualTo(503);
            gateway.until("it refuses", () -> status(caller).equals("refusing"));
            told(caller, "refusing", 200, 503, 503);
            assertThat(why(caller, "storage")).contains("cannot be written");
            limitFiles(gateway, "--fsize=unlimited:");
            gateway.until("it takes messages again", () -> status(caller).equals("ok"));

            Signals.send("TERM", gateway.pid());
            gateway.until("it drains", () -> status(caller).equals("draining"));
            told(caller, "draining", 200, 503, 503);
            gateway.kill();
        }
    }

    @Test
    void aNodeThatHasLostItsLeaseIsAliveAndNotReady() throws Exception {
        Path data = Files.createDirectory(home.resolve("data"));
        Path node = Files.createDirectory(home.resolve("node"));
        try (DatabaseServer server = new DatabaseServer(data)) {
            Files.writeString(node.resolve("parley.yaml"), """
                    storage:
                      url: "postgres://127.0.0.1:%d/postgres?user=postgres&sslmode=disable"
                    cluster:
                      enabled: true
                      name: one
                      lease_seconds: 3
                    platforms:
                      http:
                        port: 0
                    """.formatted(server.port()));
            try (ParleyProcess gateway = ParleyProcess.gateway(node)) {
                Caller caller = new Caller(gateway.ready(), node);
                gateway.until("it has its lease", () -> status(caller).equals("ok"));

                server.stop();

                gateway.until(
                        "its lease is over",
                        () -> caller.get("/healthz")
                                .body()
                                .path("lease")
                                .asText()
                                .equals("lost"));
                told(caller, "refusing", 200, 503, 503);
                assertThat(why(caller, "storage")).contains("has not reached the database for too long");

                server.startAgain();
                gateway.until("it is back", () -> status(caller).equals("ok"));
                told(caller, "ok", 200, 200, 200);
                gateway.kill();
            }
        }
    }

    /** Returns why a check of {@code /readyz} does not hold. */
    private static String why(Caller caller, String check) {
        for (JsonNode each : caller.get("/readyz").body().path("checks")) {
            if (each.path("name").asText().equals(check)) {
                return each.path("why").asText();
            }
        }
        return "";
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            return "";
        }
    }

    /** Lets files grow no more, as a disk that is full does, or again. */
    private static void limitFiles(ParleyProcess gateway, String limit) throws Exception {
        Process prlimit = new ProcessBuilder("prlimit", "--pid", String.valueOf(gateway.pid()), limit)
                .inheritIO()
                .start();
        assertThat(prlimit.waitFor(ParleyProcess.PATIENCE_SECONDS, TimeUnit.SECONDS))
                .isTrue();
        assertThat(prlimit.exitValue()).isZero();
    }
}
