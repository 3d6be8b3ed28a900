package dev.parley.persistence.jsonl;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.parley.application.port.Journal;
import dev.parley.application.port.KnowledgeLog;
import dev.parley.application.port.ParleyException;
import dev.parley.application.port.SearchQuery;
import dev.parley.application.port.StorageCorrupt;
import dev.parley.application.port.StorageUnavailable;
import dev.parley.application.spi.Storage;
import dev.parley.application.spi.StorageSettings;
import dev.parley.application.spi.StorageSettings.Mode;
import dev.parley.domain.change.Batch;
import dev.parley.domain.change.BatchId;
import dev.parley.domain.change.Change;
import dev.parley.domain.key.SessionKey;
import dev.parley.domain.session.Beginning;
import dev.parley.domain.session.Lane;
import dev.parley.domain.session.Session;
import dev.parley.domain.session.SessionEntry;
import dev.parley.domain.session.SessionId;
import dev.parley.domain.session.Viewer;
import dev.parley.domain.source.ChatType;
import dev.parley.domain.source.Platform;
import dev.parley.domain.source.SessionSource;
import dev.parley.domain.transcript.Content;
import dev.parley.domain.transcript.Message;
import dev.parley.domain.transcript.MessageId;
import dev.parley.domain.transcript.Role;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Stores, journals and knowledge logs whose files somebody has edited: opened, or refused in one line that names the file, and nothing
 * that was acknowledged is missing without a word (storage 7.5).
 */
class JsonlFuzzTest {
    private static final Instant START = Instant.parse("2026-03-10T08:00:00Z");
    private static final int INPUTS = Integer.getInteger("parley.edited.files", 40);
    private static final int SESSIONS = 3;
    private static final int MESSAGES = 4;

    @TempDir
    private static Path folder;

    private static Path whole;
    private static List<Path> files;

    private final List<String> warnings = new ArrayList<>();

    @BeforeAll
    static void theWholeHome() throws IOException {
        whole = folder.resolve("whole");
        for (int opening = 1; opening <= 2; opening++) {
            try (Storage storage = new JsonlStorageProvider().open(settings("sessions", whole, Mode.READ_WRITE))) {
                for (int n = 1; n <= SESSIONS; n++) {
                    storage.ledger().commit(batch(opening, n));
                }
                if (opening == 2) {
                    // A process that was killed leaves a journal behind its last checkpoint.
                    copy(whole.resolve("sessions"), folder.resolve("killed"));
                }
            }
        }
        delete(whole.resolve("sessions"));
        copy(folder.resolve("killed"), whole.resolve("sessions"));
        try (Journal journal = journal(whole);
                KnowledgeLog log = knowledge(whole)) {
            for (int n = 1; n <= SESSIONS; n++) {
                journal.append(batch(1, n));
                log.note(List.of(new Change.PutLane(lane(n))));
            }
        }
        try (Stream<Path> all = Files.walk(whole)) {
            files = all.filter(file -> file.toString().endsWith(".jsonl"))
                    .map(whole::relativize)
                    .sorted()
                    .toList();
        }
    }

    private static StorageSettings settings(String address, Path home, Mode mode) {
        return Settings.of(address, home, mode, () -> START, line -> {});
    }

    private static Journal journal(Path home) {
        return new JsonlStorageProvider()
                .openJournal(settings("fallback", home, Mode.READ_WRITE))
                .orElseThrow();
    }

    private static KnowledgeLog knowledge(Path home) {
        return new JsonlStorageProvider()
                .openKnowledgeLog(settings("fallback", home, Mode.READ_WRITE))
                .orElseThrow();
    }

    private static SessionKey key(int n) {
        return SessionKey.of("agent:main:telegram:dm:" + n);
    }

    private static Lane lane(int n) {
        SessionSource source = SessionSource.builder(Platform.TELEGRAM, Integer.toString(n))
                .chatType(ChatType.DM)
                .build();
        return new Lane(SessionEntry.begin(key(n), SessionId.of("s" + n), source, START, Beginning.ordinary()), 1);
    }

    private static String text(int opening, int session, int message) {
        return "text " + opening + "-" + session + "-" + message;
    }

    /** Each session begins in the first opening and goes on in the second. */
    private static Batch batch(int opening, int n) {
        List<Change> changes = new ArrayList<>();
        if (opening == 1) {
            changes.add(new Change.CreateSession(
                    Session.builder(SessionId.of("s" + n), "telegram", START).build()));
            changes.add(new Change.PutLane(lane(n)));
        }
        changes.add(new Change.AppendMessages(
                SessionId.of("s" + n),
                IntStream.rangeClosed(1, MESSAGES)
                        .mapToObj(m -> Message.builder(
                                        new MessageId("m" + opening + "-" + n + "-" + m),
                                        Role.USER,
                                        Content.text(text(opening, n, m)),
                                        START)
                                .build())
                        .toList()));
        return new Batch(new BatchId("w" + opening + "-" + n, 1), List.of(), changes);
    }

    static Stream<byte[]> inputs() {
        return IntStream.range(0, INPUTS).mapToObj(seed -> {
            byte[] input = new byte[2 + 6 * (1 + seed % 3)];
            new Random(seed).nextBytes(input);
            return input;
        });
    }

    @ParameterizedTest
    @MethodSource("inputs")
    void anEditedStoreIsOpenedOrRefused(byte[] input) throws IOException {
        anyStoreIsOpenedOrRefused(input);
    }

    /** The first byte says which file, the second whether its check sums are made to fit, the rest what is done to it. */
    @FuzzTest(maxDuration = "2m")
    void anyStoreIsOpenedOrRefused(byte[] edits) throws IOException {
        Path home = folder.resolve("edited");
        copy(whole, home);
        try {
            ByteBuffer input = ByteBuffer.wrap(edits);
            Path file = files.get(input.hasRemaining() ? Byte.toUnsignedInt(input.get()) % files.size() : 0);
            boolean forged = input.hasRemaining() && input.get() % 2 != 0;
            byte[] before = Files.readAllBytes(whole.resolve(file));
            byte[] edited = Edits.of(input, before);
            Files.write(home.resolve(file), forged ? Edits.summed(edited) : edited);
            boolean exact = !forged && endsAlike(before, edited);

            store(home, exact && file.startsWith("sessions/parley"));
            fallback(home, exact && file.endsWith("spill.jsonl"));
        } finally {
            delete(home);
        }
    }

    /** A file that ends early, or whose last line is damaged, looks like one that a killed process left. */
    private static boolean endsAlike(byte[] before, byte[] after) {
        List<byte[]> lines = Edits.split(before);
        byte[] last = lines.get(lines.size() - 1);
        return after.length > last.length
                && Arrays.equals(after, after.length - last.length, after.length, last, 0, last.length);
    }

    private void store(Path home, boolean nothingMayBeMissing) {
        warnings.clear();
        try (Storage read = open(home, Mode.READ_ONLY)) {
            read(read);
        } catch (ParleyException refused) {
            assertOneLine(refused, home);
        }
        warnings.clear();
        try (Storage written = open(home, Mode.READ_WRITE)) {
            List<String> said = read(written);
            boolean told = !warnings.isEmpty()
                    || !written.maintenance().check((done, total) -> {}).isEmpty();
            if (nothingMayBeMissing && !told) {
                assertThat(said).containsAll(everyText());
            }
            written.ledger()
                    .commit(new Batch(
                            new BatchId("afterwards", 1),
                            List.of(),
                            List.of(new Change.PutMeta("afterwards", "kept"))));
        } catch (ParleyException refused) {
            assertOneLine(refused, home);
            return;
        }
        try (Storage again = open(home, Mode.READ_ONLY)) {
            assertThat(again.meta().get("afterwards")).hasValue("kept");
        }
    }

    private Storage open(Path home, Mode mode) {
        return new JsonlStorageProvider().open(Settings.of("sessions", home, mode, () -> START, warnings::add));
    }

    private static List<String> everyText() {
        List<String> texts = new ArrayList<>();
        for (int opening = 1; opening <= 2; opening++) {
            for (int n = 1; n <= SESSIONS; n++) {
                for (int m = 1; m <= MESSAGES; m++) {
                    texts.add(text(opening, n, m));
                }
            }
        }
        return texts;
    }

    private static List<String> read(Storage storage) {
        List<String> said = new ArrayList<>();
        storage.transcripts().forEach(m -> said.add(m.message().content().plainText()));
        storage.sessions().forEach(session -> storage.transcripts().load(session.id()));
        storage.lanes().forEach(lane -> storage.lanes().find(lane.key()));
        storage.queue().admitted();
        storage.search()
                .search(new SearchQuery(
                        "text", Optional.empty(), List.of(), List.of(), 5, 0, Optional.empty(), Viewer.operator()));
        storage.maintenance().status();
        return said;
    }

    private static void assertOneLine(ParleyException refused, Path home) {
        assertThat(refused)
                .isInstanceOfAny(StorageCorrupt.class, StorageUnavailable.class)
                .matches(
                        e -> e instanceof StorageCorrupt
                                || String.valueOf(e.getMessage()).contains("newer Parley"),
                        "is damage");
        assertThat(refused.getMessage()).doesNotContain("\n").contains(home.toString());
    }

    private static void fallback(Path home, boolean nothingMayBeMissing) {
        try (Journal journal = journal(home)) {
            List<Journal.Entry> entries = journal.read(0, 100);
            if (nothingMayBeMissing) {
                assertThat(entries)
                        .extracting(entry -> entry.batch().equals(batch(1, (int) entry.place())))
                        .containsExactly(true, true, true);
            }
            assertThat(journal.append(batch(2, 1))).isPositive();
            assertThat(journal.read(0, 100)).hasSize(entries.size() + 1);
        } catch (ParleyException refused) {
            assertOneLine(refused, home);
        }
        try (KnowledgeLog log = knowledge(home)) {
            log.recall(change -> {});
            log.note(List.of(new Change.PutLane(lane(1))));
        } catch (ParleyException refused) {
            assertOneLine(refused, home);
        }
    }

    private static void copy(Path from, Path to) throws IOException {
        try (Stream<Path> all = Files.walk(from)) {
            for (Path each : (Iterable<Path>) all::iterator) {
                Path target = to.resolve(from.relativize(each));
                if (Files.isDirectory(each)) {
                    Files.createDirectories(target);
                } else if (!each.endsWith("lock")) {
                    Files.copy(each, target);
                }
            }
        }
    }

    private static void delete(Path directory) throws IOException {
        try (Stream<Path> all = Files.walk(directory)) {
            for (Path each : (Iterable<Path>) all.sorted(Comparator.reverseOrder())::iterator) {
                Files.delete(each);
            }
        }
    }
}
