package dev.parley.bootstrap.process;

import static org.assertj.core.api.Assertions.assertThat;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Two gateway processes on one PostgreSQL: each answers what is said to it, and what one leaves the other goes on with. */
class NodesProcessIT {
    @TempDir
    Path directory;

    private EmbeddedPostgres server;

    @BeforeEach
    void aServer() throws Exception {
        server = EmbeddedPostgres.builder()
                .setServerConfig("fsync", "on")
                .setServerConfig("synchronous_commit", "on")
                .start();
    }

    @AfterEach
    void noServer() throws Exception {
        server.close();
    }

    private Path home(String name, String more) throws Exception {
        Path home = Files.createDirectory(directory.resolve(name));
        Files.writeString(home.resolve("parley.yaml"), """
                storage:
                  url: "postgres://127.0.0.1:%d/postgres?user=postgres&sslmode=disable"
                cluster:
                  enabled: true
                  name: %s
                platforms:
                  http:
                    port: 0
                display:
                  busy_input_mode: queue
                %s
                """.formatted(server.getPort(), name, more));
        return home;
    }

    @Test
    void aNodeThatIsKilledIsReplacedByTheOtherWithinTheLease() throws Exception {
        Path slow = home("one", "agents:\n  echo:\n    delay: 3600\n");
        Path quick = home("other", "");
        try (ParleyProcess one = ParleyProcess.gateway(slow);
                ParleyProcess other = ParleyProcess.gateway(quick)) {
            Caller toOne = new Caller(one.ready(), slow);
            Caller toOther = new Caller(other.ready(), quick);

            assertThat(toOther.say("bob", "hello", "b1").body().path("reply").asText())
                    .isEqualTo("hello");
            assertThat(toOne.leave("alice", "first", "a1").body().path("status").asText())
                    .isEqualTo("accepted");
            CompletableFuture<Caller.Answer> second =
                    CompletableFuture.supplyAsync(() -> toOther.say("alice", "second", "a2"));
            one.until("the second message waits at the node that works on the lane", () -> waits(quick));
            one.kill();
            long killed = System.nanoTime();

            assertThat(second.get().body().path("reply").asText()).isEqualTo("second");
            assertThat(Duration.ofNanos(System.nanoTime() - killed)).isLessThan(Duration.ofSeconds(60));
            assertThat(toOther.leave("alice", "first", "a1")
                            .body()
                            .path("duplicate")
                            .asBoolean())
                    .isTrue();
        }
    }

    /** Returns whether one message of Alice waits, by what the store says. */
    private static boolean waits(Path home) {
        try {
            return ParleyProcess.run(home, "", "lanes", "show", "agent:main:webhook:dm:alice")
                    .out()
                    .lines()
                    .anyMatch(line -> line.matches("waiting +1"));
        } catch (Exception e) {
            throw new IllegalStateException("The lane could not be shown.", e);
        }
    }

    @Test
    void aNodeWithAnotherZoneIsRefused() throws Exception {
        Path berlin = home("one", "zone: Europe/Berlin\n");
        Path utc = home("other", "zone: UTC\n");
        try (ParleyProcess one = ParleyProcess.gateway(berlin)) {
            one.ready();
            ParleyProcess.Ended ended = ParleyProcess.run(utc, "", "gateway");

            assertThat(ended.code()).isEqualTo(2);
            assertThat(ended.err()).contains("zone is UTC here and Europe/Berlin at one");
            assertThat(one.terminate()).isZero();
        }
    }
}
