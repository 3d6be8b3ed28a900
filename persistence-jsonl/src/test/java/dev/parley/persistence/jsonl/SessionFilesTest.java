package dev.parley.persistence.jsonl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.parley.application.port.SessionQuery;
import dev.parley.application.port.StorageCorrupt;
import dev.parley.application.port.StorageUnavailable;
import dev.parley.application.replay.VirtualClock;
import dev.parley.application.spi.Storage;
import dev.parley.application.spi.StorageSettings;
import dev.parley.domain.change.Batch;
import dev.parley.domain.change.BatchId;
import dev.parley.domain.change.Change;
import dev.parley.domain.change.SessionEdit;
import dev.parley.domain.key.SessionKey;
import dev.parley.domain.session.Beginning;
import dev.parley.domain.session.Lane;
import dev.parley.domain.session.Session;
import dev.parley.domain.session.SessionEntry;
import dev.parley.domain.session.SessionId;
import dev.parley.domain.source.Platform;
import dev.parley.domain.source.SessionSource;
import dev.parley.domain.transcript.Content;
import dev.parley.domain.transcript.Message;
import dev.parley.domain.transcript.MessageId;
import dev.parley.domain.transcript.Role;
import dev.parley.domain.transcript.StoredMessage;
import dev.parley.domain.turn.RunId;
import dev.parley.domain.turn.Turn;
import dev.parley.domain.turn.TurnId;
import dev.parley.testing.memory.MemoryStorageProvider;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("storage 7: what stands in the directory")
class SessionFilesTest {
    private static final Instant AT = Instant.parse("2026-03-10T12:00:00.123456Z");
    private static final SessionId S = SessionId.of("20260310_120000_abcdef01");
    private static final ObjectMapper JSON = new ObjectMapper();

    @TempDir
    Path home;

    private final List<String> warnings = new ArrayList<>();
    private final VirtualClock clock = new VirtualClock(Instant.parse("2026-03-10T12:00:00Z"));
    private long sequence;
    private final List<Storage> opened = new ArrayList<>();
    private Storage storage;

    @BeforeEach
    void noneIsOpen() {
        storage = new MemoryStorageProvider().open(Settings.of(home, StorageSettings.Mode.READ_WRITE, warnings::add));
    }

    @AfterEach
    void close() {
        opened.forEach(Storage::close);
    }

    @Test
    void aSessionIsAFileNamedAfterItsSender() throws IOException {
        open();
        commit(created(S, "tg", "5"), said(S, "m1", Role.USER, "hello"));
        assertThat(names()).containsExactly("main_tg-5_1.jsonl");
        List<String> lines = lines("main_tg-5_1.jsonl");
        assertThat(lines.get(0))
                .startsWith(
                        "{\"agent\":\"main\",\"created_by\":\"tg:5\",\"created_at\":\"2026-03-10T12:00:00.123456+00:00\","
                                + "\"title\":\"\",\"uptime_secs\":0,\"parley\":{");
        assertThat(lines.get(1)).startsWith("{\"role\":\"user\",\"content\":\"hello\",\"parley\":{");
        assertThat(lines).hasSize(2);
    }

    @Test
    void theNextSessionOfASenderHasTheNextNumber() {
        open();
        commit(created(S, "tg", "5"));
        commit(created(SessionId.of("other"), "tg", "5"));
        reopen();
        commit(created(SessionId.of("third"), "tg", "5"));
        assertThat(names()).containsExactly("main_tg-5_1.jsonl", "main_tg-5_2.jsonl", "main_tg-5_3.jsonl");
    }

    @Test
    @DisplayName("storage 7.2: a sender whose name no file could have gets a shorter one, and a title what is left")
    void aLongSenderIsCut() {
        open();
        commit(created(S, "tg", "日".repeat(300)), said(S, "m1", Role.USER, "hello"));
        commit(created(SessionId.of("other"), "tg", "日".repeat(301)));
        commit(retitled(S, "語".repeat(80)));
        assertThat(names())
                .containsExactly(
                        "main_tg-" + "日".repeat(39) + "_1_" + "語".repeat(40) + ".jsonl",
                        "main_tg-" + "日".repeat(39) + "_2.jsonl");
        reopen();
        assertThat(texts(S)).containsExactly("hello");
        assertThat(warnings).isEmpty();
    }

    @Test
    @DisplayName("storage 7.3: a title is part of the name; another one takes its place")
    void aTitleIsPartOfTheName() throws IOException {
        open();
        commit(created(S, "tg", "5"), said(S, "m1", Role.USER, "hello"));
        commit(retitled(S, "My Chat!"));
        assertThat(names()).containsExactly("main_tg-5_1_my-chat.jsonl");
        commit(said(S, "m2", Role.ASSISTANT, "hi"), retitled(S, "Other"));
        commit(said(S, "m3", Role.USER, "more"));
        assertThat(names()).containsExactly("main_tg-5_1_other.jsonl");
        assertThat(meta("main_tg-5_1_other.jsonl").get("title").asText()).isEqualTo("Other");
        reopen();
        assertThat(texts(S)).containsExactly("hello", "hi", "more");
    }

    @Test
    @DisplayName("storage 7.6: a rewritten first line keeps created_at and keys of others")
    void aRewrittenFirstLineKeepsWhatItHad() throws IOException {
        open();
        commit(created(S, "tg", "5"), said(S, "m1", Role.USER, "hello"));
        storage.close();
        Path file = sessions().resolve("main_tg-5_1.jsonl");
        Files.writeString(file, Files.readString(file).replace("{\"agent\"", "{\"mood\":[1.50,\"x\"],\"agent\""));
        open();
        commit(retitled(S, "T"));
        JsonNode meta = meta("main_tg-5_1_t.jsonl");
        assertThat(lines("main_tg-5_1_t.jsonl").get(0)).contains("\"mood\":[1.50,\"x\"]");
        assertThat(meta.get("created_at").asText()).isEqualTo("2026-03-10T12:00:00.123456+00:00");
        assertThat(texts(S)).containsExactly("hello");
    }

    @Test
    @DisplayName("storage 7.6: the time of work is added up with its fractions and written when the store is closed")
    void theTimeOfWorkIsAddedUpWithItsFractions() throws IOException {
        open();
        commit(created(S, "tg", "5"));
        for (int i = 0; i < 10; i++) {
            Turn turn = turn("t" + i);
            commit(new Change.PutTurn(turn));
            commit(new Change.PutTurn(turn.ended(Turn.State.COMPLETED, AT.plusMillis(900))));
        }
        reopen();
        assertThat(meta("main_tg-5_1.jsonl").get("uptime_secs").asLong()).isEqualTo(9);
    }

    @Test
    @DisplayName("storage 7.6: the time of work is written once nothing has happened in the session for a minute")
    void theTimeOfWorkIsWrittenWhenASessionIsIdle() throws IOException {
        open();
        commit(created(S, "tg", "5"));
        Turn turn = turn("t");
        commit(new Change.PutTurn(turn));
        commit(new Change.PutTurn(turn.ended(Turn.State.COMPLETED, AT.plusSeconds(7))));
        clock.move(Duration.ofSeconds(59));
        commit(new Change.PutMeta("k", "1"));
        assertThat(meta("main_tg-5_1.jsonl").get("uptime_secs").asLong()).isZero();
        clock.move(Duration.ofSeconds(1));
        commit(new Change.PutMeta("k", "2"));
        assertThat(meta("main_tg-5_1.jsonl").get("uptime_secs").asLong()).isEqualTo(7);
        commit(said(S, "m1", Role.USER, "hello"));
        assertThat(texts(S)).containsExactly("hello");
    }

    private static Turn turn(String id) {
        return new Turn(
                new TurnId(id),
                SessionKey.of("agent:main:tg:dm:5"),
                S,
                new RunId("r"),
                List.of(),
                AT,
                Turn.State.CLAIMED,
                Optional.empty());
    }

    @Test
    void otherReadersSeeNothingThatWasTakenBackOrReplaced() throws IOException {
        open();
        commit(created(S, "tg", "5"), said(S, "m1", Role.USER, "one"), said(S, "m2", Role.USER, "two"));
        commit(new Change.HideMessages(S, List.of(new MessageId("m2")), StoredMessage.State.REWOUND));
        commit(created(SessionId.of("other"), "tg", "5"), said(SessionId.of("other"), "a", Role.USER, "before"));
        commit(new Change.ReplaceMessages(SessionId.of("other"), List.of(message("b", Role.USER, "after"))));
        reopen();
        assertThat(roles("main_tg-5_1.jsonl")).containsExactly("one");
        assertThat(roles("main_tg-5_2.jsonl")).containsExactly("after");
        assertThat(storage.transcripts().loadAll(S)).hasSize(2);
        assertThat(lines("main_tg-5_2.jsonl").toString()).doesNotContain("before");
    }

    @Test
    void aCompactionIsAMarkerBehindWhatItSummarises() throws IOException {
        open();
        commit(created(S, "tg", "5"), said(S, "m1", Role.USER, "one"), said(S, "m2", Role.ASSISTANT, "two"));
        commit(
                new Change.HideMessages(
                        S, List.of(new MessageId("m1"), new MessageId("m2")), StoredMessage.State.COMPACTED),
                new Change.AppendMessages(
                        S,
                        List.of(message("m3", Role.USER, "so far").toBuilder()
                                .kind(Message.Kind.SUMMARY)
                                .build())));
        commit(said(S, "m4", Role.USER, "three"));
        reopen();
        assertThat(texts(S)).containsExactly("so far", "three");
        var read = new JsonlTranscriptFileReader().read(sessions().resolve("main_tg-5_1.jsonl"));
        assertThat(read.context()).extracting(m -> m.content().plainText()).containsExactly("so far", "three");
        assertThat(read.archived()).isEqualTo(2);
        assertThat(lines("main_tg-5_1.jsonl")).anyMatch(line -> line.startsWith("{\"compact\":\"so far\""));
    }

    @Test
    void filesOfOtherProgramsAreTakenInAndGoneOnWith() throws IOException {
        Files.createDirectories(sessions());
        Files.writeString(
                sessions().resolve("crab_tg-1_1_my-chat.jsonl"),
                "{\"agent\":\"crab\",\"created_by\":\"tg-1\",\"created_at\":\"2026-03-27T13:44:47.123456+00:00\",\"title\":\"My Chat\",\"uptime_secs\":7}\n"
                        + "{\"role\":\"user\",\"content\":\"old\"}\n{\"compact\":\"S\"}\n{\"role\":\"assistant\",\"content\":\"new\"}");
        open();
        SessionId id = SessionId.of("crab_tg-1_1_my-chat");
        Session session = storage.sessions().find(id).orElseThrow();
        assertThat(session.title()).hasValue("My Chat");
        assertThat(session.startedAt()).isEqualTo(Instant.parse("2026-03-27T13:44:47.123456Z"));
        assertThat(texts(id)).containsExactly("S", "new");
        commit(said(id, "m1", Role.USER, "ours"));
        reopen();
        assertThat(texts(id)).containsExactly("S", "new", "ours");
        assertThat(storage.transcripts().loadAll(id))
                .extracting(StoredMessage::sequence)
                .containsExactly(1L, 2L, 3L, 4L);
        assertThat(lines("crab_tg-1_1_my-chat.jsonl")).hasSize(5);
    }

    @Test
    void linesThatAnotherProgramAppendedAreTakenIn() throws IOException {
        open();
        commit(created(S, "tg", "5"), said(S, "m1", Role.USER, "ours"));
        storage.close();
        Files.writeString(
                sessions().resolve("main_tg-5_1.jsonl"),
                "{\"role\":\"assistant\",\"content\":\"theirs\"}",
                StandardOpenOption.APPEND);
        open();
        assertThat(texts(S)).containsExactly("ours", "theirs");
        commit(said(S, "m2", Role.USER, "ours again"));
        reopen();
        assertThat(texts(S)).containsExactly("ours", "theirs", "ours again");
        assertThat(storage.transcripts().loadAll(S))
                .extracting(StoredMessage::sequence)
                .doesNotHaveDuplicates();
    }

    @Test
    void filesThatAreNoSessionFilesAreLeftAlone() throws IOException {
        Files.createDirectories(sessions());
        Files.writeString(sessions().resolve("notes.jsonl"), "\nnot a session\n");
        open();
        assertThat(storage.sessions().count(Optional.empty())).isZero();
        assertThat(warnings).singleElement().asString().contains("notes.jsonl", "left alone");
        assertThat(Files.readString(sessions().resolve("notes.jsonl"))).isEqualTo("\nnot a session\n");
    }

    @Test
    void aDeletedSessionLeavesNoFile() {
        open();
        commit(created(S, "tg", "5"), said(S, "m1", Role.USER, "secret"));
        reopen();
        commit(new Change.DeleteSession(S));
        reopen();
        assertThat(names()).isEmpty();
        assertThat(storage.sessions().find(S)).isEmpty();
    }

    @Test
    void withoutItsIndexAStoreShowsTheSame() throws IOException {
        open();
        commit(created(S, "tg", "5"), said(S, "m1", Role.USER, "hello"));
        var before = storage.sessions().list(SessionQuery.usual());
        storage.close();
        Files.delete(sessions().resolve("parley/index.jsonl"));
        open();
        assertThat(storage.sessions().list(SessionQuery.usual())).isEqualTo(before);
    }

    @Test
    void withoutItsOwnFolderAStoreFindsItsSessionsAgain() throws IOException {
        open();
        commit(created(S, "tg", "5"), said(S, "m1", Role.USER, "hello"));
        commit(created(SessionId.of("other"), "tg", "6"), said(SessionId.of("other"), "m2", Role.USER, "there"));
        storage.close();
        Files.move(sessions().resolve("parley"), home.resolve("lost"));
        open();
        assertThat(texts(S)).containsExactly("hello");
        assertThat(storage.sessions().find(S).orElseThrow().source()).isEqualTo("tg");
        assertThat(storage.sessions().find(S).orElseThrow().messageCount()).isEqualTo(1);
        assertThat(storage.transcripts().loadAll(SessionId.of("other")).get(0).sequence())
                .isEqualTo(2);
    }

    @Test
    void aDamagedCheckpointLosesNothing() throws IOException {
        open();
        commit(created(S, "tg", "5"), said(S, "m1", Role.USER, "one"), new Change.PutMeta("k", "1"));
        reopen();
        commit(said(S, "m2", Role.USER, "two"), new Change.PutMeta("k", "2"));
        reopen();
        commit(said(S, "m3", Role.USER, "three"), new Change.PutMeta("k", "3"));
        storage.close();
        Path newest = own("checkpoint-").get(own("checkpoint-").size() - 1);
        byte[] whole = Files.readAllBytes(newest);
        for (int length : List.of(0, 20, whole.length / 2, whole.length - 1)) {
            Files.write(newest, java.util.Arrays.copyOf(whole, length));
            warnings.clear();
            try (Storage looking = open(StorageSettings.Mode.READ_ONLY)) {
                assertThat(looking.meta().get("k")).hasValue("3");
                assertThat(looking.transcripts().count(S)).isEqualTo(3);
                assertThat(warnings).singleElement().asString().contains("is damaged");
            }
        }
        open();
        assertThat(texts(S)).containsExactly("one", "two", "three");
    }

    @Test
    void aMissingSessionFileIsNotAnEmptySession() throws IOException {
        open();
        commit(created(S, "tg", "5"), said(S, "m1", Role.USER, "hello"));
        storage.close();
        Files.delete(sessions().resolve("main_tg-5_1.jsonl"));
        open();
        assertThat(warnings).singleElement().asString().contains("is gone");
        assertThatThrownBy(() -> storage.transcripts().load(S)).isInstanceOf(StorageCorrupt.class);
        assertThat(storage.sessions().find(S)).isPresent();
        assertThat(storage.maintenance().check((done, total) -> {})).anyMatch(line -> line.contains("is gone"));
        commit(created(SessionId.of("other"), "tg", "5"), said(SessionId.of("other"), "m2", Role.USER, "kept"));
        commit(new Change.DeleteSession(S));
        reopen();
        assertThat(texts(SessionId.of("other"))).containsExactly("kept");
        assertThat(storage.maintenance().check((done, total) -> {})).isEmpty();
    }

    @Test
    void badUtf8LosesItsLineOnlyAndIsReported() throws IOException {
        open();
        commit(created(S, "tg", "5"), said(S, "m1", Role.USER, "hello"), said(S, "m2", Role.USER, "there"));
        storage.close();
        Path file = sessions().resolve("main_tg-5_1.jsonl");
        byte[] bytes = Files.readAllBytes(file);
        bytes[new String(bytes, StandardCharsets.ISO_8859_1).indexOf("hello")] = (byte) 0xff;
        Files.write(file, bytes);
        open();
        assertThat(texts(S)).containsExactly("there");
        assertThat(storage.maintenance().check((done, total) -> {}))
                .anyMatch(line -> line.contains("line 2 is passed over"));
    }

    @Test
    void readingOnlyCreatesAndChangesNothing() throws IOException {
        assertThatThrownBy(() -> open(StorageSettings.Mode.READ_ONLY)).isInstanceOf(StorageUnavailable.class);
        assertThat(home).isEmptyDirectory();
        open();
        commit(created(S, "tg", "5"), said(S, "m1", Role.USER, "hello"));
        List<String> before = everything();
        try (Storage looking = open(StorageSettings.Mode.READ_ONLY)) {
            assertThat(looking.transcripts().count(S)).isEqualTo(1);
            assertThatThrownBy(() -> looking.ledger().commit(batch(created(SessionId.of("x"), "tg", "5"))))
                    .isInstanceOf(StorageUnavailable.class);
        }
        assertThat(everything()).isEqualTo(before);
    }

    @Test
    void aSecondWriterIsToldWhoHasTheDirectory() {
        open();
        assertThatThrownBy(() -> open(StorageSettings.Mode.READ_WRITE))
                .isInstanceOf(StorageUnavailable.class)
                .hasMessageContaining(
                        "in use by process " + ProcessHandle.current().pid());
    }

    @Test
    void aFileInThePlaceOfTheDirectoryIsRefusedWithOneLine() throws IOException {
        Files.writeString(sessions(), "x");
        assertThatThrownBy(this::open)
                .isInstanceOf(StorageUnavailable.class)
                .message()
                .contains("sessions", "cannot be opened")
                .doesNotContain("\n");
    }

    @Test
    @DisplayName("E2.4: sessions.json shows the lanes in the form that other software reads")
    void sessionsJsonShowsTheLanes() throws IOException {
        open();
        SessionKey key = SessionKey.of("agent:main:telegram:dm:5");
        SessionSource source =
                SessionSource.builder(Platform.TELEGRAM, "5").chatName("Ann").build();
        SessionEntry entry = SessionEntry.begin(key, S, source, AT, Beginning.fresh());
        commit(created(S, "telegram", "5"), new Change.PutLane(new Lane(entry, 1)));
        storage.close();
        JsonNode lanes = JSON.readTree(Files.readString(sessions().resolve("sessions.json")));
        assertThat(lanes.fieldNames().next()).isEqualTo("_README");
        JsonNode lane = lanes.get(key.value());
        assertThat(lane.get("session_key").asText()).isEqualTo(key.value());
        assertThat(lane.get("session_id").asText()).isEqualTo(S.value());
        assertThat(lane.get("created_at").asText()).isEqualTo("2026-03-10T13:00:00.123456");
        assertThat(lane.get("is_fresh_reset").asBoolean()).isTrue();
        assertThat(lane.get("suspended").asBoolean()).isFalse();
        assertThat(lane.get("cost_status").asText()).isEqualTo("unknown");
        assertThat(lane.get("auto_reset_reason").isNull()).isTrue();
        assertThat(lane.get("origin").get("platform").asText()).isEqualTo("telegram");
        assertThat(lane.has("model_override")).isFalse();
    }

    @Test
    void aSessionsJsonOfAnotherProgramIsKept() throws IOException {
        Files.createDirectories(sessions());
        Files.writeString(sessions().resolve("sessions.json"), "{\"mine\":1}");
        open();
        commit(created(S, "tg", "5"));
        storage.close();
        assertThat(Files.readString(sessions().resolve("sessions.json.original")))
                .isEqualTo("{\"mine\":1}");
    }

    private Path sessions() {
        return home.resolve("sessions");
    }

    private void open() {
        storage = open(StorageSettings.Mode.READ_WRITE);
        opened.add(storage);
    }

    private Storage open(StorageSettings.Mode mode) {
        return new JsonlStorageProvider().open(Settings.of(home, mode, clock, warnings::add));
    }

    private void reopen() {
        storage.close();
        open();
    }

    private Batch batch(Change... changes) {
        return new Batch(new BatchId("test", ++sequence), List.of(), List.of(changes));
    }

    private void commit(Change... changes) {
        assertThat(storage.ledger().commit(batch(changes)).isCommitted()).isTrue();
    }

    private static Change created(SessionId id, String source, String user) {
        return new Change.CreateSession(
                Session.builder(id, source, AT).userId(user).build());
    }

    private static Change retitled(SessionId id, String title) {
        return new Change.EditSession(id, new SessionEdit.Retitle(Optional.of(title)));
    }

    private static Change said(SessionId session, String id, Role role, String text) {
        return new Change.AppendMessages(session, List.of(message(id, role, text)));
    }

    private static Message message(String id, Role role, String text) {
        return Message.builder(new MessageId(id), role, Content.text(text), AT).build();
    }

    private List<String> texts(SessionId id) {
        return storage.transcripts().load(id).stream()
                .map(row -> row.message().content().plainText())
                .toList();
    }

    private List<String> names() {
        return list(sessions()).stream()
                .map(file -> file.getFileName().toString())
                .filter(name -> name.endsWith(".jsonl"))
                .toList();
    }

    private List<Path> own(String prefix) {
        return list(sessions().resolve("parley")).stream()
                .filter(file -> file.getFileName().toString().startsWith(prefix))
                .toList();
    }

    private static List<Path> list(Path directory) {
        try (Stream<Path> files = Files.list(directory)) {
            return files.sorted().toList();
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    private List<String> everything() throws IOException {
        List<String> all = new ArrayList<>();
        try (Stream<Path> files = Files.walk(home)) {
            for (Path file : (Iterable<Path>) files.sorted()::iterator) {
                all.add(file
                        + (Files.isRegularFile(file) ? " " + java.util.Arrays.hashCode(Files.readAllBytes(file)) : ""));
            }
        }
        return all;
    }

    private List<String> lines(String name) throws IOException {
        return Files.readAllLines(sessions().resolve(name));
    }

    private JsonNode meta(String name) throws IOException {
        return JSON.readTree(lines(name).get(0));
    }

    /** What a reader sees that knows nothing but the format: the content of every line with a role. */
    private List<String> roles(String name) throws IOException {
        List<String> contents = new ArrayList<>();
        for (String line : lines(name)) {
            JsonNode node = JSON.readTree(line);
            if (node.has("role")) {
                contents.add(node.path("content").asText());
            }
        }
        return contents;
    }
}
