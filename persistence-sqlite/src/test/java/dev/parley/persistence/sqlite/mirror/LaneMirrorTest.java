package dev.parley.persistence.sqlite.mirror;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.parley.application.port.StorageCorrupt;
import dev.parley.application.spi.LaneFileReader;
import dev.parley.application.spi.Storage;
import dev.parley.application.spi.StorageSettings;
import dev.parley.domain.change.Change;
import dev.parley.domain.change.LaneEvent;
import dev.parley.domain.key.SessionKey;
import dev.parley.domain.reset.ResetReason;
import dev.parley.domain.session.Beginning;
import dev.parley.domain.session.Ending;
import dev.parley.domain.session.Lane;
import dev.parley.domain.session.ModelOverride;
import dev.parley.domain.session.ResumeReason;
import dev.parley.domain.session.Session;
import dev.parley.domain.session.SessionEntry;
import dev.parley.domain.session.SessionId;
import dev.parley.domain.source.ChatType;
import dev.parley.domain.source.Platform;
import dev.parley.domain.source.Platforms;
import dev.parley.domain.source.SessionSource;
import dev.parley.domain.usage.TokenUsage;
import dev.parley.persistence.sqlite.Openings;
import dev.parley.persistence.sqlite.SessionsJsonReader;
import dev.parley.persistence.sqlite.Sql;
import dev.parley.persistence.sqlite.SqliteStorageProvider;
import dev.parley.persistence.sqlite.Stores;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code sessions/sessions.json} beside the database (E2.4–E2.13). */
class LaneMirrorTest {
    private static final ZoneId BERLIN = ZoneId.of("Europe/Berlin");
    private static final SessionKey KEY = SessionKey.of("agent:main:telegram:dm:42");

    @TempDir
    Path home;

    private final List<String> warnings = new ArrayList<>();

    @Test
    @DisplayName("E2.4: after closing, the file has every lane with all fields")
    void everyLaneStandsInTheFile() throws Exception {
        try (Storage store = open("true")) {
            Stores.commit(store, new Change.PutLane(new Lane(entry(), 3)));
        }

        JsonNode root = new ObjectMapper().readTree(file().toFile());
        JsonNode lane = root.required(KEY.value());
        assertThat(root.properties().iterator().next().getKey()).isEqualTo("_README");
        assertThat(lane.required("session_key").textValue()).isEqualTo(KEY.value());
        assertThat(lane.required("created_at").textValue()).isEqualTo("2026-03-10T05:00:00");
        assertThat(lane.required("suspended").booleanValue()).isTrue();
        assertThat(lane.required("resume_pending").booleanValue()).isTrue();
        assertThat(lane.required("resume_reason").textValue()).isEqualTo("restart_timeout");
        assertThat(lane.required("total_tokens").longValue()).isEqualTo(15);
        assertThat(lane.required("origin").required("chat_id").textValue()).isEqualTo("42");
        assertThat(lane.required("model_override").required("model").textValue())
                .isEqualTo("m");
        assertThat(warnings).isEmpty();
    }

    @Test
    @DisplayName("E2.12: a database that knows nothing takes the lanes from the file, exactly as they were")
    void lanesComeBackFromTheFile() throws Exception {
        try (Storage store = open("true")) {
            Stores.commit(store, new Change.PutLane(new Lane(entry(), 3)));
        }
        Files.delete(home.resolve("state.db"));
        Files.deleteIfExists(home.resolve("state.db-wal"));
        Files.deleteIfExists(home.resolve("state.db-shm"));

        try (Storage store = open("true")) {
            assertThat(store.lanes().find(KEY)).contains(new Lane(entry(), 1));
            assertThat(store.lanes().history(KEY, 5))
                    .singleElement()
                    .extracting(LaneEvent::reason)
                    .isEqualTo("sessions_json");
            assertThat(store.sessions().find(SessionId.of("s"))).isPresent();
        }
    }

    @Test
    @DisplayName(
            "E2.12: where sessions.json is missing, the lanes come from the table in which later versions keep them")
    void lanesComeFromTheTableOfLaterVersionsWhereTheFileIsMissing() throws Exception {
        open("false").close();
        routing(home.resolve("state.db"));

        try (Storage store = open("false")) {
            assertThat(store.lanes().count()).isEqualTo(1);
            assertThat(store.lanes().find(KEY))
                    .get()
                    .extracting(lane -> lane.entry().sessionId().value())
                    .isEqualTo("newer");
            assertThat(store.lanes().history(KEY, 5))
                    .singleElement()
                    .satisfies(event -> assertThat(event.inputs()).containsEntry("file", "gateway_routing"));
            assertThat(warnings).singleElement().asString().contains("broken", "gateway_routing", "left out");
        }
    }

    @Test
    @DisplayName("E2.12: a sessions.json that is there counts, and not the table")
    void theTableIsNotReadWhereThereIsAFile() throws Exception {
        open("false").close();
        routing(home.resolve("state.db"));
        write("\"" + KEY.value() + "\":" + entryJson("filed", "2026-03-10T04:00:00", ""));

        try (Storage store = open("false")) {
            assertThat(store.lanes().find(KEY))
                    .get()
                    .extracting(lane -> lane.entry().sessionId().value())
                    .isEqualTo("filed");
        }
    }

    @Test
    void lanesAreReadFromADatabaseThatIsNamedInPlaceOfTheFile() throws Exception {
        Path database = home.resolve("other.db");
        Sql.run(database, "CREATE TABLE t (a)");
        assertThatThrownBy(() -> new SessionsJsonReader().read(database, BERLIN, Platforms.builtIn()))
                .isInstanceOf(StorageCorrupt.class)
                .hasMessageContaining("gateway_routing");
        routing(database);

        LaneFileReader.LaneFile read = new SessionsJsonReader().read(database, BERLIN, Platforms.builtIn());

        assertThat(read.entries()).extracting(each -> each.sessionId().value()).containsExactly("newer");
        assertThat(read.leftOut()).hasSize(1);
    }

    private static void routing(Path database) throws Exception {
        Sql.run(
                database,
                "CREATE TABLE gateway_routing (scope TEXT NOT NULL DEFAULT '', session_key TEXT NOT NULL,"
                        + " entry_json TEXT NOT NULL, updated_at REAL NOT NULL, PRIMARY KEY (scope, session_key))",
                row("a", KEY.value(), entryJson("older", "2026-03-10T04:00:00", ""), 1),
                row("b", KEY.value(), entryJson("newer", "2026-03-10T05:00:00", ""), 2),
                row("a", "broken", "[1]", 3),
                row("a", "", entryJson("nobody", "2026-03-10T05:00:00", ""), 4));
    }

    private static String row(String scope, String key, String json, int updated) {
        return "INSERT INTO gateway_routing VALUES ('" + scope + "', '" + key + "', '" + json + "', " + updated + ")";
    }

    @Test
    @DisplayName("E2.12: a lane that was removed does not come back from the file")
    void aRemovedLaneDoesNotComeBack() throws Exception {
        try (Storage store = open("true")) {
            Stores.commit(
                    store,
                    new Change.PutLane(new Lane(entry(), 3)),
                    new Change.AppendHistory(new LaneEvent(
                            KEY,
                            Openings.NOW,
                            LaneEvent.Kind.CREATED,
                            Optional.empty(),
                            Optional.of(SessionId.of("s")),
                            "first",
                            Map.of())));
        }
        String before = Files.readString(file());
        try (Storage store = open("false")) {
            Stores.commit(store, new Change.RemoveLane(KEY));
        }
        assertThat(file()).hasContent(before);

        try (Storage store = open("false")) {
            assertThat(store.lanes().count()).isZero();
        }
    }

    @Test
    @DisplayName("E2.13: a lane whose session has ended is not taken from the file")
    void aLaneOfAnEndedSessionIsNotTaken() throws Exception {
        write("\"k\": " + entryJson("s", "2026-03-10T04:00:00", ""));
        try (Storage store = Stores.open(home.resolve("state.db"), StorageSettings.Mode.READ_WRITE, Map.of())) {
            Stores.commit(
                    store,
                    new Change.CreateSession(Session.builder(SessionId.of("s"), "cli", Openings.NOW)
                            .ending(Ending.of(Openings.NOW, "x"))
                            .build()));
        }

        try (Storage store = open("false")) {
            assertThat(store.lanes().count()).isZero();
        }
    }

    @Test
    @DisplayName("A file that another system wrote is read and never written")
    void aForeignFileIsNeverWritten() throws Exception {
        write("\"_README\": \"mine\", \"k\": " + entryJson("s", "2026-03-10T04:00:00", ""));
        String before = Files.readString(file());

        try (Storage store = open("true")) {
            assertThat(store.lanes().find(SessionKey.of("k"))).isPresent();
            Stores.commit(store, new Change.PutLane(new Lane(entry(), 3)));
        }

        assertThat(file()).hasContent(before);
        assertThat(warnings).singleElement().asString().contains("was not written by Parley");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "created_at missing            | {\"session_key\":\"k\",\"session_id\":\"s\",\"updated_at\":\"2026-03-10T04:00:00\"}",
                "updated_at of the wrong type  | {\"session_key\":\"k\",\"session_id\":\"s\",\"created_at\":\"2026-03-10T04:00:00\",\"updated_at\":5}",
                "no session id                 | {\"session_key\":\"k\",\"created_at\":\"2026-03-10T04:00:00\",\"updated_at\":\"2026-03-10T04:00:00\"}",
                "a session id with a path      | {\"session_key\":\"k\",\"session_id\":\"../s\",\"created_at\":\"2026-03-10T04:00:00\",\"updated_at\":\"2026-03-10T04:00:00\"}",
                "an origin without a chat      | {\"session_key\":\"k\",\"session_id\":\"s\",\"created_at\":\"2026-03-10T04:00:00\",\"updated_at\":\"2026-03-10T04:00:00\",\"origin\":{\"platform\":\"telegram\"}}",
                "an origin of unknown platform | {\"session_key\":\"k\",\"session_id\":\"s\",\"created_at\":\"2026-03-10T04:00:00\",\"updated_at\":\"2026-03-10T04:00:00\",\"origin\":{\"platform\":\"nowhere\",\"chat_id\":\"1\"}}",
                "no object                     | 5"
            })
    @DisplayName("E2.5, E2.6, E2.8: an entry that cannot be read is left out, the others stay")
    void anEntryThatCannotBeReadIsLeftOut(String what, String json) throws Exception {
        write("\"_note\": 1, \"bad\": " + json + ", \"good\": " + entryJson("s", "2026-03-10T04:00:00", ""));

        assertThat(new SessionsFile(file(), BERLIN).read(warnings::add))
                .as(what)
                .extracting(SessionEntry::key)
                .containsExactly(SessionKey.of("good"));
        assertThat(warnings).hasSize(1);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                ",\"platform\":\"nowhere\"",
                ",\"platform\":5",
                ",\"origin\":5",
                ",\"resume_pending\":true,\"last_resume_marked_at\":\"soon\"",
                ",\"input_tokens\":\"many\",\"suspended\":\"yes\"",
                ",\"unknown\":{}"
            })
    @DisplayName("E2.5: what can be left out of an entry is left out of it, and the entry stays")
    void partsThatCannotBeReadAreLeftOut(String more) throws Exception {
        write("\"k\": " + entryJson("s", "2026-03-10T04:00:00", more));

        SessionEntry entry =
                new SessionsFile(file(), BERLIN).read(warnings::add).get(0);

        assertThat(entry.platform()).isEmpty();
        assertThat(entry.origin()).isEmpty();
        assertThat(entry.isSuspended()).isFalse();
        assertThat(entry.usage().tokens()).isEqualTo(TokenUsage.NONE);
        assertThat(entry.standing().resumePending().isPresent()).isEqualTo(more.contains("resume_pending"));
        assertThat(warnings).isEmpty();
    }

    @Test
    @DisplayName("E2.5: times with an offset count as they are, others in the gateway's zone; old flags are understood")
    void timesAndOldFlagsAreUnderstood() throws Exception {
        write("\"a\": " + entryJson("s", "2026-03-10T04:00:00+00:00", ",\"memory_flushed\":true") + ", \"b\": "
                + entryJson("s", "2026-03-10T05:00:00.000000", ""));

        List<SessionEntry> entries = new SessionsFile(file(), BERLIN).read(warnings::add);

        assertThat(entries).extracting(SessionEntry::createdAt).containsExactly(Openings.NOW, Openings.NOW);
        assertThat(entries).extracting(SessionEntry::expiryFinalized).containsExactly(true, false);
    }

    @Test
    @DisplayName("E2.8: a file that is no object is told and left alone")
    void aFileThatIsNoObjectIsLeftAlone() throws Exception {
        Files.createDirectories(file().getParent());
        Files.writeString(file(), "[not an object");

        assertThat(new SessionsFile(file(), BERLIN).read(warnings::add)).isEmpty();
        assertThat(new SessionsFile(file(), BERLIN).isOurs()).isFalse();
        assertThat(warnings).hasSize(1);
    }

    private Storage open(String mirrored) {
        return new SqliteStorageProvider()
                .open(new StorageSettings(
                        "state.db",
                        home,
                        StorageSettings.Mode.READ_WRITE,
                        () -> Openings.NOW,
                        BERLIN,
                        new Openings.CountedIds(),
                        Thread::new,
                        warnings::add,
                        Map.of("write_sessions_json", mirrored)));
    }

    private Path file() {
        return home.resolve("sessions").resolve("sessions.json");
    }

    private void write(String members) throws Exception {
        Files.createDirectories(file().getParent());
        Files.writeString(file(), "{" + members + "}");
    }

    private static String entryJson(String session, String time, String more) {
        return "{\"session_key\":\"k\",\"session_id\":\"" + session + "\",\"created_at\":\"" + time
                + "\",\"updated_at\":\"" + time + "\"" + more + "}";
    }

    private static SessionEntry entry() {
        SessionSource source = SessionSource.builder(Platform.TELEGRAM, "42")
                .chatName("Ada")
                .chatType(ChatType.DM)
                .userId("7")
                .build();
        return SessionEntry.begin(
                        KEY, SessionId.of("s"), source, Openings.NOW, new Beginning.AfterReset(ResetReason.DAILY, true))
                .used(new TokenUsage(10, 5, 0, 0, 0), 0.25, Optional.of(10L))
                .withModelOverride(Optional.of(new ModelOverride(Optional.of("m"), Optional.of("p"), Optional.empty())))
                .markedForResume(ResumeReason.RESTART_TIMEOUT, Openings.NOW)
                .suspended();
    }
}
