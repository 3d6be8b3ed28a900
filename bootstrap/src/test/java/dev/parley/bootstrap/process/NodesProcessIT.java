package dev.parley.bootstrap.process;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Two gateway processes on one PostgreSQL: each answers what is said to it, and what one leaves the other goes on with. */
class NodesProcessIT {
    private static final String BOBS = "/v1/messages?chat_id=bob";
    private static final ObjectMapper JSON = new ObjectMapper();

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

            assertThat(toOne.get(BOBS).body().path("messages")).isEmpty();
            assertThat(toOther.say("bob", "hello", "b1").body().path("reply").asText())
                    .isEqualTo("hello");
            one.until(
                    "each node shows what another one has sent",
                    () -> toOne.get(BOBS).body().path("messages").size() == 1);
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
    void nodesAreListedHeldReleasedForgottenAndDrainedFromAnyHome() throws Exception {
        Path first = home("one", "");
        Path second = home("other", "");
        try (ParleyProcess one = ParleyProcess.gateway(first);
                ParleyProcess other = ParleyProcess.gateway(second)) {
            String address = one.ready();
            Caller toOther = new Caller(other.ready(), second);
            one.until(
                    "both are listed with where they are reached",
                    () -> nodes(second, "", 2, "up").findValuesAsText("address").contains(address));

            assertThat(ParleyProcess.run(second, "", "nodes", "hold", "one").err())
                    .contains("The node one (", "begins no turns from now on.");
            assertThat(nodes(second, "one", 1, "held")).isNotEmpty();
            assertThat(ParleyProcess.run(second, "", "nodes", "release").code()).isZero();
            assertThat(nodes(second, "one", 1, "up")).isNotEmpty();

            assertThat(ParleyProcess.run(second, "", "nodes", "drain", "nobody").err())
                    .contains("there is no live node nobody; see `parley nodes`.");
            assertThat(ParleyProcess.run(second, "", "nodes", "drain", "one").code())
                    .isZero();
            assertThat(one.exit()).isZero();
            assertThat(ParleyProcess.run(second, "", "nodes", "forget", "other").code())
                    .isZero();
            assertThat(ParleyProcess.run(second, "", "nodes", "--all").out()).contains("left", "dead");
            other.until(
                    "a node that was declared dead by mistake begins another life",
                    () -> !nodes(second, "other", 1, "up").isEmpty());
            assertThat(toOther.say("bob", "hello", "b1").body().path("reply").asText())
                    .isEqualTo("hello");
        }
    }

    /** Returns the live nodes; empty where not so many have this name, or any, and this state. */
    private static JsonNode nodes(Path home, String name, int many, String state) {
        try {
            JsonNode rows =
                    JSON.readTree(ParleyProcess.run(home, "", "nodes", "--json").out());
            long found = StreamSupport.stream(rows.spliterator(), false)
                    .filter(row -> name.isEmpty() || row.path("name").asText().equals(name))
                    .filter(row -> row.path("state").asText().equals(state))
                    .count();
            return found == many ? rows : JSON.createArrayNode();
        } catch (Exception e) {
            throw new IllegalStateException("The nodes could not be listed.", e);
        }
    }

    @Test
    void aGatewayThatIsNoNodeAndNodesKeepEachOtherOff() throws Exception {
        Path node = home("node", "");
        Path alone = home("alone", "");
        Path config = alone.resolve("parley.yaml");
        Files.writeString(config, Files.readString(config).replace("enabled: true", "enabled: false"));
        try (ParleyProcess running = ParleyProcess.gateway(node)) {
            running.ready();
            ParleyProcess.Ended refused = ParleyProcess.run(alone, "", "gateway");

            assertThat(refused.code()).isEqualTo(2);
            assertThat(refused.err()).contains("is in use by the nodes node (", "set cluster.enabled to true");
            assertThat(running.terminate()).isZero();
        }
        try (ParleyProcess running = ParleyProcess.gateway(alone)) {
            Caller caller = new Caller(running.ready(), alone);
            ParleyProcess.Ended refused = ParleyProcess.run(node, "", "gateway");

            assertThat(refused.code()).isEqualTo(2);
            assertThat(refused.err()).contains("is in use by the gateway gateway (", "runs without cluster.enabled");
            assertThat(caller.say("bob", "hello", "b1").body().path("reply").asText())
                    .isEqualTo("hello");
            running.kill();
        }
        try (ParleyProcess again = ParleyProcess.gateway(alone)) {
            assertThat(again.ready()).startsWith("http://");
        }
    }

    @Test
    void whatNeedsTheStorageForItselfIsRefusedFromAnyHomeWhileANodeLives() throws Exception {
        Path node = home("one", "zone: UTC\n");
        Path elsewhere = home("other", "zone: Europe/Berlin\n");
        String store = "postgres://127.0.0.1:" + server.getPort() + "/postgres?user=postgres&sslmode=disable";
        try (ParleyProcess one = ParleyProcess.gateway(node)) {
            one.ready();
            for (String command :
                    List.of("storage vacuum", "storage upgrade", "storage copy --to sqlite:copy.db --from " + store)) {
                ParleyProcess.Ended refused = ParleyProcess.run(elsewhere, "", command.split(" "));
                assertThat(refused.code()).as(command).isEqualTo(2);
                assertThat(refused.err()).contains("is in use by the nodes one (", "stop them first");
            }
            assertThat(ParleyProcess.run(elsewhere, "", "sessions", "prune", "--older-than", "1", "--yes")
                            .out())
                    .contains("0 deleted");
            assertThat(ParleyProcess.run(elsewhere, "", "doctor").out())
                    .contains("one (", " is up, works on 0 lanes", "zone is Europe/Berlin here and UTC at one");
            assertThat(one.terminate()).isZero();
        }
        assertThat(ParleyProcess.run(elsewhere, "", "storage", "vacuum").code()).isZero();
    }

    @Test
    void nodesAreRestartedOneAfterTheOtherWithoutATurnBeingCutOff() throws Exception {
        Path first = home("one", "agents:\n  echo:\n    delay: 3\n");
        Path second = home("other", "agents:\n  echo:\n    delay: 3\n");
        try (ParleyProcess other = ParleyProcess.gateway(second)) {
            Caller toOther = new Caller(other.ready(), second);
            for (int round = 1; round <= 2; round++) {
                String id = "r" + round;
                try (ParleyProcess one = ParleyProcess.gateway(first)) {
                    Caller toOne = new Caller(one.ready(), first);
                    assertThat(Files.readString(first.resolve("http-token")))
                            .isEqualTo(Files.readString(second.resolve("http-token")));
                    CompletableFuture<Caller.Answer> answer =
                            CompletableFuture.supplyAsync(() -> toOne.say("alice", "said " + id, id));
                    one.until(
                            "its turn runs",
                            () -> !nodes(second, "one", 1, "up").isEmpty() && holds(second, "one"));
                    one.askToStop();
                    assertThat(toOther.say("bob", "hello " + id, "b" + id)
                                    .body()
                                    .path("reply")
                                    .asText())
                            .isEqualTo("hello " + id);

                    assertThat(one.exit()).isZero();
                    assertThat(answer.get().body().path("reply").asText()).isEqualTo("said " + id);
                }
            }
            assertThat(ParleyProcess.run(second, "", "lanes", "show", "agent:main:webhook:dm:alice")
                            .out())
                    .doesNotContain("interrupted")
                    .contains("completed");
        }
    }

    private static boolean holds(Path home, String name) {
        return StreamSupport.stream(nodes(home, name, 1, "up").spliterator(), false)
                .anyMatch(row -> row.path("name").asText().equals(name)
                        && row.path("lanes").asInt() > 0);
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
