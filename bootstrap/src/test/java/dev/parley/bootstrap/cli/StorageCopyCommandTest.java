package dev.parley.bootstrap.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.parley.bootstrap.cli.CommandLineProgram.Result;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.List;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The command that copies storages, and takes over existing installations. */
class StorageCopyCommandTest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String DM = "20260103_080000_c0ffee";
    private static final String GROUP = "20260104_080000_e30001";
    private static final String ENDED = "20260107_080000_b4a001";
    private static final String ROOM = "agent:main:discord:group:room%3A1:al";

    @TempDir
    Path directory;

    private Path database;
    private Path lanes;
    private CommandLineProgram program;

    @BeforeEach
    void anInstallation() throws Exception {
        database = CommandLineProgram.fixture("state-v11.db", directory);
        lanes = directory.resolve("sessions.json");
        Files.writeString(lanes, """
                {
                  "_README": "of another program",
                  "agent:main:telegram:dm:7": {"session_key": "agent:main:telegram:dm:7", "session_id": "%s",
                    "created_at": "2026-01-03T08:00:00", "updated_at": "2026-03-01T10:00:00.250000",
                    "display_name": "Zoe", "platform": "telegram", "chat_type": "dm", "total_tokens": 12,
                    "resume_pending": false, "last_resume_marked_at": 5,
                    "origin": {"platform": "telegram", "chat_id": "7", "chat_type": "dm", "user_id": "u-zh"}},
                  "agent:main:discord:group:room:1:al": {"session_key": "x", "session_id": "%s",
                    "created_at": "2026-01-04T08:00:00", "updated_at": "2026-03-01T10:00:00",
                    "platform": "discord", "chat_type": "group", "suspended": true,
                    "origin": {"platform": "discord", "chat_id": "room:1", "chat_type": "group", "user_id": "al"}},
                  "agent:main:slack:dm:new": {"session_key": "agent:main:slack:dm:new", "session_id": "20260301_090000_only01",
                    "created_at": "2026-03-01T09:00:00", "updated_at": "2026-03-01T09:00:00", "platform": "slack",
                    "origin": {"platform": "slack", "chat_id": "new"}},
                  "agent:main:slack:channel:C1": {"session_key": "k", "session_id": "20260109_100000_10c901",
                    "created_at": "2026-01-09T10:00:00", "updated_at": "2026-03-01T09:00:00", "platform": "slack",
                    "origin": {"platform": "slack", "chat_id": "C1", "chat_type": "channel", "user_id": "U42"}},
                  "agent:main:cli:dm:e": {"session_key": "k", "session_id": "%s",
                    "created_at": "2026-01-07T08:00:00", "updated_at": "2026-03-01T09:00:00"},
                  "agent:main:telegram:dm:bad1": {"session_key": "k", "session_id": "s", "updated_at": "2026-03-01T09:00:00"},
                  "agent:main:telegram:dm:bad2": {"session_key": "k", "session_id": "s", "created_at": "2026-03-01T09:00:00",
                    "updated_at": "2026-03-01T09:00:00", "origin": {"platform": "pigeon", "chat_id": "1"}},
                  "agent:main:telegram:dm:bad3": {"session_key": "k", "session_id": "../s", "created_at": "2026-03-01T09:00:00",
                    "updated_at": "2026-03-01T09:00:00"},
                  "agent:main:telegram:dm:bad4": [1]
                }
                """.formatted(DM, GROUP, ENDED));
        program = new CommandLineProgram(directory.resolve("home"));
    }

    private Result copy(String... more) {
        return run("sqlite:" + database, more);
    }

    private Result run(String from, String... more) {
        String[] all = {"storage", "copy", "--from", from};
        String[] arguments = Arrays.copyOf(all, all.length + more.length);
        System.arraycopy(more, 0, arguments, all.length, more.length);
        return program.run(arguments);
    }

    @ParameterizedTest
    @DisplayName("E2, K5: an installation is taken over with its lanes, under the keys that their origins have here")
    @ValueSource(strings = {"sqlite:state.db", "jsonl:conversations"})
    void anInstallationIsTakenOver(String to) throws Exception {
        byte[] before = Files.readAllBytes(database);

        Result copied = copy("--to", to, "--lanes", lanes.toString(), "--verify", "--json");

        assertThat(copied.code()).as(copied.err()).isZero();
        JsonNode outcome = JSON.readTree(copied.out());
        assertThat(outcome.get("sessions").asInt()).isEqualTo(18);
        assertThat(outcome.get("messages").asInt()).isEqualTo(60);
        assertThat(outcome.get("lanes_from_file").asInt()).isEqualTo(4);
        assertThat(outcome.get("differences")).isEmpty();
        assertThat(copied.errors()).hasSize(6);
        assertThat(copied.err())
                .contains("\"agent:main:telegram:dm:bad1\"", "created_at")
                .contains("\"agent:main:telegram:dm:bad2\"", "pigeon")
                .contains("\"agent:main:telegram:dm:bad3\"")
                .contains("\"agent:main:telegram:dm:bad4\"", "it is no object")
                .contains("agent:main:cli:dm:e is left out: its session " + ENDED + " has ended (branched)")
                .contains("agent:main:slack:channel:C1 stays under its key", "agent:main:slack:channel:C1:U42");
        assertThat(Files.readAllBytes(database)).isEqualTo(before);

        Files.writeString(program.home().resolve("parley.yaml"), "storage: {url: \"" + to + "\"}\n");
        JsonNode listed = JSON.readTree(program.run("lanes", "list", "--json").out());
        assertThat(column(listed, "session_key"))
                .containsExactlyInAnyOrder(
                        "agent:main:telegram:dm:7", ROOM, "agent:main:slack:dm:new", "agent:main:slack:channel:C1");
        JsonNode room =
                JSON.readTree(program.run("lanes", "show", ROOM, "--json").out());
        assertThat(room.path("session_id").asText()).isEqualTo(GROUP);
        assertThat(room.path("suspended").asBoolean()).isTrue();
        assertThat(program.run("lanes", "why", "agent:main:telegram:dm:7").code())
                .isZero();
        assertThat(program.run("lanes", "why", "agent:main:telegram:dm:7", "--to", "2000-01-01")
                        .out())
                .isEmpty();
    }

    @ParameterizedTest
    @DisplayName("The gateway on the new home goes on with the sessions of the lanes")
    @ValueSource(strings = {"sqlite:state.db", "jsonl:conversations"})
    void lanesGoOnWithTheirSessions(String to) throws Exception {
        assertThat(copy("--to", to, "--lanes", lanes.toString()).code()).isZero();

        Result replayed = program.runWith("""
                {"scenario":"taken over","zone":"UTC"}
                {"at":"2026-03-01T10:05:00","from":{"platform":"telegram","chat_id":"7","chat_type":"dm","user_id":"u-zh"},"text":"again","message_id":"1"}
                """, "replay", "-", "--ids", "--storage", to);

        assertThat(replayed.code()).as(replayed.err()).isZero();
        List<JsonNode> lines =
                replayed.lines().stream().map(StorageCopyCommandTest::parsed).toList();
        assertThat(lines)
                .anySatisfy(line -> assertThat(line.toString()).contains("\"decision\":\"reuse\"", DM))
                .anySatisfy(line -> {
                    assertThat(line.path("event").asText()).isEqualTo("turn");
                    assertThat(line.path("history").asInt()).isEqualTo(9);
                });
    }

    @Test
    void afterwardsTheSameFileAddsNothing() throws Exception {
        assertThat(copy("--to", "sqlite:state.db", "--lanes", lanes.toString()).code())
                .isZero();
        Result again = copy("--to", "sqlite:state.db", "--merge", "--lanes", lanes.toString(), "--verify", "--json");
        assertThat(again.code()).as(again.err()).isZero();
        assertThat(JSON.readTree(again.out()).get("lanes_from_file").asInt()).isZero();
        assertThat(again.err()).contains("agent:main:telegram:dm:7 is left out: the lane is there, with session " + DM);
    }

    @Test
    void aFileThatHoldsNoLanesIsRefusedBeforeAnythingIsMade() throws Exception {
        Files.writeString(lanes, "[]");
        Result refused = copy("--to", "sqlite:state.db", "--lanes", lanes.toString());
        assertThat(refused.code()).isEqualTo(4);
        assertThat(refused.errors()).singleElement().asString().contains("is no JSON object");
        Result missing = copy(
                "--to",
                "sqlite:state.db",
                "--lanes",
                directory.resolve("none.json").toString());
        assertThat(missing.code()).isEqualTo(3);
        assertThat(missing.errors()).singleElement().asString().contains("none.json", "cannot be read");
        assertThat(program.home().resolve("state.db")).doesNotExist();
    }

    @Test
    void aTargetThatIsNotEmptyIsRefusedUnlessItIsMergedInto() {
        assertThat(copy("--to", "jsonl:copy").code()).isZero();
        Result refused = copy("--to", "jsonl:copy");
        assertThat(refused.code()).isEqualTo(2);
        assertThat(refused.errors()).singleElement().asString().contains("not empty");
        assertThat(copy("--to", "jsonl:copy", "--resume").code()).isEqualTo(2);
        Result merged = copy("--to", "jsonl:copy", "--merge", "--verify");
        assertThat(merged.code()).isZero();
        assertThat(merged.lines().get(0)).startsWith("0 sessions, 0 messages, 0 lanes copied");
    }

    @Test
    void theWayBackIntoTheSameHomeIsNotMistakenForOneThatIsNotEmpty() throws Exception {
        assertThat(copy("--to", "sqlite:state.db", "--lanes", lanes.toString()).code())
                .isZero();
        assertThat(program.home().resolve("sessions/sessions.json")).exists();
        assertThat(run("sqlite:state.db", "--to", "jsonl:files", "--verify").code())
                .isZero();
        Result back = run("jsonl:files", "--to", "sqlite:again.db", "--verify", "--json");
        assertThat(back.code()).as(back.err()).isZero();
        assertThat(JSON.readTree(back.out()).get("lanes").asInt()).isEqualTo(4);
    }

    @Test
    void aHomeInUseIsRefused() throws Exception {
        Files.createDirectories(program.home());
        try (FileChannel channel = FileChannel.open(
                        program.home().resolve("gateway.lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
                FileLock lock = channel.lock()) {
            assertThat(lock.isValid()).isTrue();
            Result refused = copy("--to", "jsonl:copy");
            assertThat(refused.code()).isEqualTo(2);
            assertThat(refused.errors()).singleElement().asString().contains("in use by a live gateway");
        }
    }

    private static JsonNode parsed(String line) {
        try {
            return JSON.readTree(line);
        } catch (java.io.IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    private static List<String> column(JsonNode rows, String name) {
        return StreamSupport.stream(rows.spliterator(), false)
                .map(row -> row.path(name).asText())
                .toList();
    }
}
