package dev.parley.bootstrap.process;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** Gateway processes on one PostgreSQL: each answers what is said to it, and what one leaves another goes on with. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class NodesProcessIT {
    private static final String BOBS = "/v1/messages?chat_id=bob";
    private static final String ALICES = "agent:main:webhook:dm:alice";
    private static final ObjectMapper JSON = new ObjectMapper();

    @TempDir
    static Path directory;

    private DatabaseServer server;
    private Path quick;
    private ParleyProcess other;
    private Caller toOther;
    private int messages;

    /** The node {@code other} lives beside all that tests start in the same store; each leaves it as it was. */
    @BeforeAll
    void aServerAndANode() throws Exception {
        server = new DatabaseServer(directory.resolve("data"));
        quick = home("other", "shared", "zone: UTC\n");
        other = ParleyProcess.gateway(quick);
        toOther = new Caller(other.ready(), quick);
    }

    @AfterAll
    void noServer() throws Exception {
        other.close();
        server.close();
    }

    /** A home of a node of this name, in a store of its own or one that it shares. */
    private Path home(String name, String store, String more) throws Exception {
        Path home = Files.createTempDirectory(directory, name);
        Files.writeString(
                home.resolve("parley.yaml"), """
                storage:
                  url: "%s"
                cluster:
                  enabled: true
                  name: %s
                platforms:
                  http:
                    port: 0
                display:
                  busy_input_mode: queue
                %s
                """.formatted(server.address(store) + "&sslmode=disable", name, more));
        return home;
    }

    /** Returns whether a count of rows in the shared store is more than nothing. */
    private boolean isSo(String sql) {
        try (Connection connection = DriverManager.getConnection("jdbc:postgresql://127.0.0.1:" + server.port()
                        + "/postgres?user=postgres&currentSchema=shared");
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(sql)) {
            return rows.next() && rows.getInt(1) > 0;
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    private String reply(Caller caller, String chat, String text) {
        return caller.say(chat, text, "m" + ++messages).body().path("reply").asText();
    }

    @Test
    void aNodeThatIsKilledIsReplacedByTheOtherWithinTheLease() throws Exception {
        Path slow = home("one", "shared", "zone: UTC\nagents:\n  echo:\n    delay: 3600\n");
        try (ParleyProcess one = ParleyProcess.gateway(slow)) {
            Caller toOne = new Caller(one.ready(), slow);

            int before = toOne.get(BOBS).body().path("messages").size();
            assertThat(reply(toOther, "bob", "hello")).isEqualTo("hello");
            one.until(
                    "each node shows what another one has sent",
                    () -> toOne.get(BOBS).body().path("messages").size() == before + 1);
            assertThat(toOne.leave("alice", "first", "a1").body().path("status").asText())
                    .isEqualTo("accepted");
            CompletableFuture<Caller.Answer> second =
                    CompletableFuture.supplyAsync(() -> toOther.say("alice", "second", "a2"));
            one.until(
                    "the second message waits at the node that works on the lane",
                    () -> isSo("select count(*) from parley_inbound where state = 'admitted' and lane = '" + ALICES
                            + "'"));
            assertThat(ParleyProcess.run(quick, "", "lanes", "show", ALICES).out())
                    .containsPattern("waiting +1");
            one.kill();

            assertThat(second.get().body().path("reply").asText()).isEqualTo("second");
            assertThat(toOther.leave("alice", "first", "a1")
                            .body()
                            .path("duplicate")
                            .asBoolean())
                    .isTrue();
        }
    }

    @Test
    void nodesAreListedHeldReleasedForgottenAndDrainedFromAnyHome() throws Exception {
        Path first = home("one", "shared", "zone: UTC\n");
        try (ParleyProcess one = ParleyProcess.gateway(first)) {
            String address = one.ready();
            one.until(
                    "it says where it is reached",
                    () -> isSo("select count(*) from parley_nodes where state = 'up' and address = '" + address + "'"));
            JsonNode both = nodes();
            assertThat(both.findValuesAsText("name")).contains("one", "other");
            assertThat(both.findValuesAsText("address")).contains(address);
            assertThat(both.findValuesAsText("state")).containsOnly("up");

            assertThat(ParleyProcess.run(quick, "", "nodes", "hold", "one").err())
                    .contains("The node one (", "begins no turns from now on.");
            assertThat(nodes().findValuesAsText("state")).containsExactlyInAnyOrder("held", "up");
            assertThat(ParleyProcess.run(quick, "", "nodes", "release").code()).isZero();
            assertThat(nodes().findValuesAsText("state")).containsOnly("up");

            assertThat(ParleyProcess.run(quick, "", "nodes", "drain", "nobody").err())
                    .contains("there is no live node nobody; see `parley nodes`.");
            assertThat(ParleyProcess.run(quick, "", "nodes", "drain", "one").code())
                    .isZero();
            assertThat(one.exit()).isZero();
            assertThat(ParleyProcess.run(quick, "", "nodes", "forget", "other").code())
                    .isZero();
            assertThat(ParleyProcess.run(quick, "", "nodes", "--all").out()).contains("left", "dead");
            other.until(
                    "a node that was declared dead by mistake begins another life",
                    () -> isSo("select count(*) from parley_nodes where state = 'up' and name = 'other'"));
            assertThat(reply(toOther, "bob", "hello")).isEqualTo("hello");
        }
    }

    /** Returns the live nodes. */
    private JsonNode nodes() throws Exception {
        return JSON.readTree(ParleyProcess.run(quick, "", "nodes", "--json").out());
    }

    @Test
    void aGatewayThatIsNoNodeAndNodesKeepEachOtherOff() throws Exception {
        Path alone = home("alone", "shared", "zone: UTC\n");
        Path config = alone.resolve("parley.yaml");
        String shy = Files.readString(config).replace("enabled: true", "enabled: false");
        Files.writeString(config, shy);
        ParleyProcess.Ended refused = ParleyProcess.run(alone, "", "gateway");
        assertThat(refused.code()).isEqualTo(2);
        assertThat(refused.err()).contains("is in use by the nodes other (", "set cluster.enabled to true");

        Path node = home("node", "apart", "");
        Files.writeString(config, shy.replace("schema=shared", "schema=apart"));
        try (ParleyProcess running = ParleyProcess.gateway(alone)) {
            Caller caller = new Caller(running.ready(), alone);
            refused = ParleyProcess.run(node, "", "gateway");

            assertThat(refused.code()).isEqualTo(2);
            assertThat(refused.err()).contains("is in use by the gateway gateway (", "runs without cluster.enabled");
            assertThat(reply(caller, "bob", "hello")).isEqualTo("hello");
            running.kill();
        }
        try (ParleyProcess again = ParleyProcess.gateway(alone)) {
            assertThat(again.ready()).startsWith("http://");
        }
    }

    @Test
    void whatNeedsTheStorageForItselfAndANodeWithAnotherZoneAreRefusedFromAnyHomeWhileANodeLives() throws Exception {
        Path node = home("one", "single", "zone: UTC\n");
        Path elsewhere = home("berlin", "single", "zone: Europe/Berlin\n");
        String store = server.address("single") + "&sslmode=disable";
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
            ParleyProcess.Ended refused = ParleyProcess.run(elsewhere, "", "gateway");
            assertThat(refused.code()).isEqualTo(2);
            assertThat(refused.err()).contains("zone is Europe/Berlin here and UTC at one");
            assertThat(one.terminate()).isZero();
        }
        assertThat(ParleyProcess.run(elsewhere, "", "storage", "vacuum").code()).isZero();
        String copy = server.address("copied") + "&sslmode=disable";
        assertThat(ParleyProcess.run(elsewhere, "", "storage", "copy", "--from", store, "--to", copy)
                        .code())
                .isZero();
        assertThat(isSo("select count(*) from copied.parley_nodes where name = 'storage copy' and state = 'left'"))
                .as("the copy had the target for itself until it was done")
                .isTrue();
    }

    @Test
    void nodesAreRestartedOneAfterTheOtherWithoutATurnBeingCutOff() throws Exception {
        Path first = home("one", "shared", "zone: UTC\nagents:\n  echo:\n    delay: 3\n");
        for (int round = 1; round <= 2; round++) {
            String id = "r" + round;
            try (ParleyProcess one = ParleyProcess.gateway(first)) {
                Caller toOne = new Caller(one.ready(), first);
                assertThat(Files.readString(first.resolve("http-token")))
                        .isEqualTo(Files.readString(quick.resolve("http-token")));
                CompletableFuture<Caller.Answer> answer =
                        CompletableFuture.supplyAsync(() -> toOne.say("carol", id, id));
                one.until(
                        "its turn runs",
                        () -> isSo(
                                "select count(*) from parley_turns t join parley_holds h on h.lane = t.lane"
                                        + " join parley_nodes n on n.life = h.holder where t.state = 'claimed' and n.name = 'one'"));
                one.askToStop();
                assertThat(reply(toOther, "bob", "hello " + id)).isEqualTo("hello " + id);

                assertThat(one.exit()).isZero();
                assertThat(answer.get().body().path("reply").asText()).isEqualTo(id);
            }
        }
        assertThat(ParleyProcess.run(quick, "", "lanes", "show", "agent:main:webhook:dm:carol")
                        .out())
                .doesNotContain("interrupted")
                .contains("completed");
    }

    /** The turn runs at another node than the one that streams: the whole answer comes from there, without what was said on the way. */
    @Test
    void whoStreamsAtOneNodeGetsTheWholeAnswerOfATurnThatRunsAtAnother() throws Exception {
        Path first = home("one", "shared", "zone: UTC\nagents:\n  echo:\n    delay: 3\n");
        try (ParleyProcess one = ParleyProcess.gateway(first)) {
            Caller toOne = new Caller(one.ready(), first);
            assertThat(toOne.leave("dave", "first", "d1").status()).isEqualTo(202);
            one.until(
                    "its turn runs",
                    () -> isSo("select count(*) from parley_turns where state = 'claimed' and lane like '%:dave'"));
            List<String> events = toOther.stream("dave", "second", "d2");

            assertThat(events).startsWith("admitted").endsWith("done: second");
            assertThat(one.terminate()).isZero();
        }
    }
}
