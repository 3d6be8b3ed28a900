package dev.parley.bootstrap.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A gateway process on a PostgreSQL server that is stopped and started: it goes on, says so, and merges back without a restart. */
class PostgresGatewayIT {
    private static final int CHATS = 12;

    @TempDir
    Path directory;

    private DatabaseServer server;
    private Path home;

    @BeforeEach
    void aHomeOnAServer() throws Exception {
        server = new DatabaseServer(directory.resolve("data"));
        home = Files.createDirectory(directory.resolve("home"));
        Files.writeString(
                home.resolve("parley.yaml"),
                "platforms:\n  http:\n    port: 0\n    home_channel: ops\nstorage:\n  busy_patience: 1\n  url: "
                        + server.address("parley") + "\n");
    }

    @AfterEach
    void stopTheServer() {
        server.close();
    }

    private static String health(Caller caller) {
        return caller.get("/healthz").body().path("status").asText();
    }

    private static void say(Caller caller, String text, String id) {
        Caller.Answer answer = caller.say("c1", text, id);
        assertThat(answer.status()).as(answer.body().toString()).isEqualTo(200);
        assertThat(answer.body().path("reply").asText()).isEqualTo(text);
    }

    private static void leave(Caller caller, String chat) {
        Caller.Answer answer = caller.leave(chat, "from " + chat, "id-" + chat);
        assertThat(answer.status()).as(answer.body().toString()).isEqualTo(202);
    }

    private static long answered(Caller caller, List<String> chats) {
        return chats.stream().filter(chat -> !replies(caller, chat).isEmpty()).count();
    }

    private static List<String> replies(Caller caller, String chat) {
        return caller.sent(chat).stream()
                .filter(sent -> sent.endsWith(": from " + chat))
                .toList();
    }

    @Test
    @DisplayName(
            "Commit rules 6, 9 and 10: a server that is stopped and started stops nobody, and each message is answered once")
    void aServerThatIsRestartedStopsNobody() throws Exception {
        List<String> chats = new ArrayList<>();
        try (ParleyProcess gateway = ParleyProcess.gateway(home)) {
            Caller caller = new Caller(gateway.ready(), home);
            say(caller, "before", "m1");
            String session = caller.lane("c1").path("session_id").asText();

            Thread stopping = new Thread(server::stop, "stops the server");
            stopping.start();
            for (int i = 0; i < CHATS; i++) {
                chats.add("stopping-" + i);
                leave(caller, "stopping-" + i);
            }
            stopping.join();
            say(caller, "while it is away", "m2");
            assertThat(health(caller)).isEqualTo("degraded");
            assertThat(caller.say("c1", "/status", "m3").body().path("reply").asText())
                    .contains("degraded");

            Thread starting = new Thread(server::startAgain, "starts the server");
            starting.start();
            for (int i = 0; i < CHATS; i++) {
                chats.add("starting-" + i);
                leave(caller, "starting-" + i);
            }
            starting.join();
            gateway.until("it is whole again", () -> health(caller).equals("ok"));
            say(caller, "after", "m4");
            gateway.until("all are answered", () -> answered(caller, chats) == chats.size());

            assertThat(chats).allSatisfy(chat -> {
                assertThat(replies(caller, chat)).as("answers").hasSize(1);
                assertThat(caller.transcript(
                                caller.lane(chat).path("session_id").asText()))
                        .containsExactly("user: from " + chat, "assistant: from " + chat);
            });
            assertThat(caller.transcript(session))
                    .containsExactly(
                            "user: before",
                            "assistant: before",
                            "user: while it is away",
                            "assistant: while it is away",
                            "user: after",
                            "assistant: after");
            gateway.until("the operator is told", () -> caller.sent("ops").size() >= 2);
            assertThat(caller.sent("ops"))
                    .satisfiesExactly(
                            degraded -> assertThat(degraded).contains("Storage is degraded"),
                            healed -> assertThat(healed).contains("whole again"));
            assertThat(gateway.errors())
                    .as("libraries speak through the gateway's own lines")
                    .doesNotContainIgnoringCase("hikari")
                    .doesNotContain("org.postgresql", "\tat ");
            assertThat(gateway.terminate()).isZero();
        }
        assertThat(ParleyProcess.run(home, "", "storage", "check").code()).isZero();
    }

    @Test
    @DisplayName("Commit rules 3, 9 and 10: killed and started while the server is away, it goes on and merges back")
    void aStartWithoutTheServerMergesBack() throws Exception {
        try (ParleyProcess gateway = ParleyProcess.gateway(home)) {
            Caller caller = new Caller(gateway.ready(), home);
            say(caller, "before", "m1");
            server.stop();
            say(caller, "while it is away", "m2");
            gateway.kill();
        }
        try (ParleyProcess gateway = ParleyProcess.gateway(home)) {
            Caller caller = new Caller(gateway.ready(), home);
            assertThat(health(caller)).isEqualTo("degraded");
            assertThat(caller.say("c1", "before", "m1").body().path("duplicate").asBoolean())
                    .isTrue();
            say(caller, "still away", "m3");

            server.startAgain();
            gateway.until("it is whole", () -> health(caller).equals("ok"));
            say(caller, "after", "m4");

            assertThat(caller.transcript(caller.lane("c1").path("session_id").asText()))
                    .containsSequence("user: while it is away", "assistant: while it is away")
                    .containsSequence("user: still away", "assistant: still away")
                    .endsWith("user: after", "assistant: after")
                    .doesNotHaveDuplicates();
            assertThat(gateway.terminate()).isZero();
        }
        assertThat(ParleyProcess.run(home, "", "storage", "check").code()).isZero();
    }
}
