package dev.parley.persistence.jsonl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.parley.application.port.StorageCorrupt;
import dev.parley.application.spi.Storage;
import dev.parley.application.spi.StorageSettings;
import dev.parley.domain.change.Batch;
import dev.parley.domain.change.BatchId;
import dev.parley.domain.change.Change;
import dev.parley.domain.change.SessionEdit;
import dev.parley.domain.session.Ending;
import dev.parley.domain.session.Session;
import dev.parley.domain.session.SessionId;
import dev.parley.domain.transcript.Content;
import dev.parley.domain.transcript.Message;
import dev.parley.domain.transcript.MessageId;
import dev.parley.domain.transcript.Role;
import dev.parley.domain.transcript.StoredMessage;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is found after a crash, and when files of sessions are written and removed. */
class RecoveryTest {
    private static final Instant AT = Instant.parse("2026-03-10T12:00:00Z");
    private static final SessionId ONE = SessionId.of("one");
    private static final SessionId TWO = SessionId.of("two");

    @TempDir
    Path directory;

    private final List<String> warnings = new ArrayList<>();
    private JsonlHarness harness;
    private Storage storage;
    private long sequence;

    @BeforeEach
    void begin() {
        harness = new JsonlHarness(directory) {
            @Override
            protected StorageSettings settings(StorageSettings.Mode mode) {
                return Settings.of(home(), mode, warnings::add);
            }
        };
        storage = harness.open(StorageSettings.Mode.READ_WRITE);
    }

    @AfterEach
    void checkAndClose() {
        assertThat(storage.maintenance().check((done, total) -> {})).isEmpty();
        harness.close();
        assertThat(harness.damage()).isEmpty();
        assertThat(warnings).isEmpty();
    }

    @Test
    void aReasonWithoutATimeOfEndIsKeptUntilTheSessionEnds() {
        commit(new Change.CreateSession(
                Session.builder(ONE, "cli", AT).unendedReason("compression").build()));

        crash();

        assertThat(one()).satisfies(read -> {
            assertThat(read.isLive()).isTrue();
            assertThat(read.unendedReason()).hasValue("compression");
        });
        commit(new Change.EditSession(ONE, new SessionEdit.End(Ending.of(AT, "later"))));
        crash();
        assertThat(one().endedBy("later")).isTrue();
        commit(new Change.EditSession(ONE, new SessionEdit.Reopen()));
        assertThat(one().unendedReason()).isEmpty();
    }

    @Test
    void filesWithNumbersThatNoPlaceHasAreLeftAlone() throws IOException {
        commit(created(ONE));
        Path own = harness.home().resolve("sessions/parley");
        Files.createFile(own.resolve("journal-9999999999999999999.jsonl"));
        Files.createFile(own.resolve("checkpoint-9999999999999999999.jsonl"));

        crash();

        assertThat(one().isLive()).isTrue();
    }

    @Test
    void messagesKeepTheirPlacesWhereAnotherFileWasWrittenAnewBeforeTheCrash() {
        commit(created(ONE), created(TWO));
        commit(said(ONE, "m1", "m2"), said(TWO, "m3"), said(ONE, "m4"), said(TWO, "m5"));
        commit(new Change.EditSession(ONE, new SessionEdit.Retitle(Optional.of("Plan"))));
        commit(said(TWO, "m6"), said(ONE, "m7"));
        List<StoredMessage> before = messages();

        crash();

        assertThat(messages()).isEqualTo(before);
        commit(said(TWO, "m8"));
        assertThat(messages()).hasSize(8).startsWith(before.toArray(new StoredMessage[0]));
    }

    @Test
    void messagesThatAreThereAlreadyAreStillTheOnlyOnesAfterACrash() {
        commit(created(ONE), created(TWO));
        commit(said(ONE, "m1", "m2"));
        commit(said(ONE, "m2", "m3", "m3"), said(TWO, "m1"));
        commit(new Change.ReplaceMessages(ONE, List.of(message("m1"), message("m9"))), said(ONE, "m1", "m2"));
        List<StoredMessage> before = messages();

        crash();

        assertThat(messages()).isEqualTo(before);
        assertThat(before)
                .extracting(row -> row.session() + " " + row.message().id().value())
                .containsExactly("two m1", "one m1", "one m9", "one m2");
    }

    @Test
    void theFileOfADeletedSessionIsGoneWithTheCommit() {
        commit(created(ONE), created(TWO));
        commit(said(ONE, "m1"), said(TWO, "m2"));
        assertThat(names()).hasSize(2);

        commit(new Change.DeleteSession(ONE));

        assertThat(names()).hasSize(1);
        crash();
        assertThat(names()).hasSize(1);
        assertThat(storage.sessions().find(ONE)).isEmpty();
        assertThat(messages()).hasSize(1);
    }

    @Test
    void whatWasSaidBeforeASessionWasDeletedIsDoneAgainWithoutItsFile() {
        commit(created(ONE), created(TWO));
        commit(said(ONE, "m1", "m2"));
        reopen();
        commit(said(ONE, "m2", "m3"), said(TWO, "m4"));
        commit(
                new Change.HideMessages(ONE, List.of(new MessageId("m1")), StoredMessage.State.REWOUND),
                said(TWO, "m5"),
                new Change.EditSession(TWO, new SessionEdit.Parent(Optional.of(ONE))));
        commit(said(ONE, "m6"), new Change.DeleteSession(ONE), said(TWO, "m7"));
        List<StoredMessage> before = messages();

        crash();

        assertThat(messages()).isEqualTo(before);
        assertThat(storage.sessions().find(TWO).orElseThrow().parent()).isEmpty();
        assertThat(names()).hasSize(1);
    }

    @Test
    void aSessionThatWasDeletedAndMadeAgainKeepsOnlyWhatItWasGivenThen() {
        commit(created(ONE));
        commit(said(ONE, "m1"));
        reopen();
        commit(said(ONE, "m2"));
        commit(new Change.DeleteSession(ONE), created(ONE), said(ONE, "m3"));
        crash();
        assertThat(messages()).extracting(row -> row.message().id().value()).containsExactly("m3");
        commit(new Change.DeleteSession(ONE));
        commit(created(ONE), said(ONE, "m4"));
        reopen();
        commit(said(ONE, "m5"));
        crash();
        assertThat(messages()).extracting(row -> row.message().id().value()).containsExactly("m4", "m5");
        assertThat(names()).hasSize(1);
    }

    @Test
    void aDamagedCheckpointIsReplacedByTheOneBeforeAlsoWhereSessionsWereDeletedSince() throws IOException {
        commit(created(ONE), created(TWO), said(ONE, "m1"), said(TWO, "m2"));
        reopen();
        commit(said(ONE, "m1", "m3"), said(TWO, "m4"));
        commit(new Change.DeleteSession(ONE));
        storage.close();
        List<Path> checkpoints = own("checkpoint-");
        assertThat(checkpoints).hasSize(2);
        byte[] newest = Files.readAllBytes(checkpoints.get(1));
        newest[newest.length / 2] ^= 1;
        Files.write(checkpoints.get(1), newest);

        open();

        assertThat(messages()).extracting(row -> row.message().id().value()).containsExactly("m2", "m4");
        assertThat(names()).hasSize(1);
        assertThat(warnings).singleElement().asString().contains("is damaged; the one before it is used");
        warnings.clear();
        reopen();
        assertThat(messages()).hasSize(2);
    }

    @Test
    @DisplayName("A batch for many files is written to them later, and read at once, also after a crash")
    void aBatchForManyFilesIsWrittenLater() throws IOException {
        int sessions = 300;
        List<Change> changes = new ArrayList<>();
        for (int i = 0; i < sessions; i++) {
            changes.add(created(SessionId.of("s" + i)));
            changes.add(said(SessionId.of("s" + i), "m" + i));
        }
        commit(changes.toArray(new Change[0]));
        assertThat(sizes()).containsOnly(0L);
        assertThat(messages()).hasSize(sessions);
        assertThat(storage.transcripts().load(SessionId.of("s7"))).hasSize(1);
        commit(said(SessionId.of("s7"), "more"));
        assertThat(storage.transcripts().load(SessionId.of("s7"))).hasSize(2);
        assertThat(sizes()).filteredOn(size -> size > 0).hasSize(65);
        List<StoredMessage> before = messages();

        crash();

        assertThat(messages()).isEqualTo(before);
        reopen();
        assertThat(sizes()).doesNotContain(0L);
        assertThat(messages()).isEqualTo(before);
    }

    @Test
    void aSessionIsDeletedWhileItsMessagesStillWait() throws IOException {
        List<Change> changes = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            changes.add(created(SessionId.of("s" + i)));
            changes.add(said(SessionId.of("s" + i), "m" + i));
        }
        commit(changes.toArray(new Change[0]));
        commit(new Change.DeleteSession(SessionId.of("s3")));
        assertThat(names()).hasSize(99);
        crash();
        assertThat(messages()).hasSize(99);
        reopen();
        assertThat(sizes()).hasSize(99).doesNotContain(0L);
    }

    @Test
    void aJournalWithZerosBeforeLaterBatchesIsRefusedAndLeftAsItIs() throws IOException {
        commit(created(ONE), said(ONE, "m1"));
        commit(said(ONE, "m2"));
        commit(said(ONE, "m3"));
        List<StoredMessage> before = messages();
        harness.crash();
        List<Path> journals = own("journal-");
        Path journal = journals.get(journals.size() - 1);
        byte[] whole = Files.readAllBytes(journal);
        byte[] damaged = whole.clone();
        int at = new String(whole, StandardCharsets.ISO_8859_1).indexOf("text of m2");
        Arrays.fill(damaged, at, at + 5, (byte) 0);
        Files.write(journal, damaged);

        for (StorageSettings.Mode mode : StorageSettings.Mode.values()) {
            assertThatThrownBy(() -> harness.open(mode))
                    .isInstanceOf(StorageCorrupt.class)
                    .hasMessageContaining(journal + ": the line at byte ")
                    .hasMessageContaining("Nothing was changed; restore");
        }

        assertThat(Files.readAllBytes(journal)).isEqualTo(damaged);
        Files.write(journal, whole);
        open();
        assertThat(messages()).isEqualTo(before);
    }

    @Test
    void aLastBatchThatIsPartlyZerosIsCutOffWithoutAWord() throws IOException {
        commit(created(ONE), said(ONE, "m1"));
        commit(said(ONE, "m2"));
        commit(said(ONE, "m3"));
        harness.crash();
        List<Path> journals = own("journal-");
        Path journal = journals.get(journals.size() - 1);
        byte[] torn = Files.readAllBytes(journal);
        int at = new String(torn, StandardCharsets.ISO_8859_1).indexOf("text of m3");
        Arrays.fill(torn, at, at + 5, (byte) 0);
        Files.write(journal, torn);

        open();

        assertThat(messages()).extracting(row -> row.message().id().value()).containsExactly("m1", "m2");
    }

    private void open() {
        storage = harness.open(StorageSettings.Mode.READ_WRITE);
    }

    private void reopen() {
        storage.close();
        open();
    }

    private void crash() {
        harness.crash();
        open();
    }

    private void commit(Change... changes) {
        Batch batch = new Batch(new BatchId("test", ++sequence), List.of(), List.of(changes));
        assertThat(storage.ledger().commit(batch).isCommitted()).isTrue();
    }

    private static Change created(SessionId id) {
        return new Change.CreateSession(Session.builder(id, "tg", AT).build());
    }

    private static Change said(SessionId session, String... ids) {
        return new Change.AppendMessages(
                session, Stream.of(ids).map(RecoveryTest::message).toList());
    }

    private static Message message(String id) {
        return Message.builder(new MessageId(id), Role.USER, Content.text("text of " + id), AT)
                .build();
    }

    private Session one() {
        return storage.sessions().find(ONE).orElseThrow();
    }

    private List<StoredMessage> messages() {
        List<StoredMessage> all = new ArrayList<>();
        storage.transcripts().forEach(all::add);
        return all;
    }

    private List<String> names() {
        return files(harness.home().resolve("sessions")).stream()
                .map(file -> file.getFileName().toString())
                .toList();
    }

    private List<Path> own(String prefix) {
        return files(harness.home().resolve("sessions/parley")).stream()
                .filter(file -> file.getFileName().toString().startsWith(prefix))
                .toList();
    }

    private List<Long> sizes() throws IOException {
        List<Long> sizes = new ArrayList<>();
        for (Path file : files(harness.home().resolve("sessions"))) {
            sizes.add(Files.size(file));
        }
        return sizes;
    }

    private static List<Path> files(Path directory) {
        try (Stream<Path> files = Files.list(directory)) {
            return files.filter(file -> file.toString().endsWith(".jsonl"))
                    .sorted()
                    .toList();
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }
}
