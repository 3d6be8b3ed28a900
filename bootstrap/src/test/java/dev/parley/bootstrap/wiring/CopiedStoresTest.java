package dev.parley.bootstrap.wiring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.application.spi.Storage;
import dev.parley.application.spi.StorageSettings.Mode;
import dev.parley.application.transfer.StorageCopy;
import dev.parley.contracts.storage.RandomStores;
import dev.parley.domain.key.SessionKey;
import dev.parley.domain.session.Session;
import dev.parley.domain.transcript.StoredMessage;
import dev.parley.home.HomeDirectory;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Copies between the backends of this build. */
class CopiedStoresTest {
    private static final InstantSource CLOCK = InstantSource.fixed(Instant.parse("2026-03-10T12:00:00Z"));

    @TempDir
    Path home;

    private final List<String> warnings = new ArrayList<>();

    @ParameterizedTest(name = "seed {0}")
    @DisplayName("SQLite to JSONL to SQLite is the identity for everything the ports carry")
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void thereAndBackIsTheIdentity(long seed) {
        try (Storage first = open("sqlite:first.db")) {
            RandomStores.fill(first, seed, 150);
            assertThereAndBack(first);
        }
    }

    @ParameterizedTest(name = "{0}")
    @DisplayName("Databases of the reference go there and back as they are, malformed JSON, hidden rows and all")
    @ValueSource(strings = {"state-v11.db"})
    void databasesOfTheReferenceGoThereAndBack(String fixture) throws IOException {
        try (InputStream in = CopiedStoresTest.class.getResourceAsStream("/fixtures/" + fixture)) {
            Files.copy(Objects.requireNonNull(in, fixture), home.resolve("first.db"));
        }
        try (Storage first = open("sqlite:first.db", Mode.READ_ONLY)) {
            assertThereAndBack(first);
        }
    }

    private void assertThereAndBack(Storage first) {
        try (Storage files = open("jsonl:files")) {
            copy(first, files);
            assertSame(files, first);
        }
        try (Storage files = open("jsonl:files");
                Storage last = open("sqlite:last.db")) {
            assertSame(files, first);
            copy(files, last);
            assertSame(last, first);
        }
        assertThat(warnings).isEmpty();
    }

    private static void assertSame(Storage actual, Storage expected) {
        assertThat(messages(actual)).isEqualTo(messages(expected));
        assertThat(sessions(actual)).isEqualTo(sessions(expected));
        assertThat(copied(actual)).isEqualTo(copied(expected));
        numbers(actual)
                .forEach((lane, greatest) ->
                        assertThat(actual.queue().lastOrdinal(lane)).isGreaterThanOrEqualTo(greatest));
    }

    /**
     * Returns what a copy carries. Who holds a lane is of the moment and stays behind; so does the number of a lane's latest message where
     * that was pruned, since nothing is left that it could be mistaken for.
     */
    private static String copied(Storage storage) {
        return RandomStores.contents(storage).stream()
                .filter(line -> !line.startsWith("hold of ") && !line.startsWith("last of it"))
                .collect(Collectors.joining("\n"));
    }

    /** Returns the greatest number of the messages that each lane has. */
    private static Map<SessionKey, Long> numbers(Storage storage) {
        Map<SessionKey, Long> numbers = new HashMap<>();
        storage.queue()
                .forEach(
                        Instant.EPOCH,
                        inbound -> numbers.merge(inbound.lane(), inbound.ordinal(), Math::max),
                        turn -> {},
                        outgoing -> {});
        return numbers;
    }

    private static List<StoredMessage> messages(Storage storage) {
        List<StoredMessage> all = new ArrayList<>();
        storage.transcripts()
                .forEach(row -> all.add(new StoredMessage(all.size() + 1L, row.session(), row.message(), row.state())));
        return all;
    }

    private static List<Session> sessions(Storage storage) {
        List<Session> all = new ArrayList<>();
        storage.sessions().forEach(all::add);
        return all;
    }

    private static void copy(Storage from, Storage to) {
        StorageCopy copy = new StorageCopy(from, to, CLOCK, ProcessSurroundings.ids(), 13);
        copy.copy(StorageCopy.Into.EMPTY, progress -> {});
        assertThat(copy.verify(progress -> {})).isEmpty();
    }

    private Storage open(String url) {
        return open(url, Mode.READ_WRITE);
    }

    private Storage open(String url, Mode mode) {
        Storages storages = new Storages(
                Providers.find(home.resolve("plugins")),
                new HomeDirectory(home),
                CLOCK,
                ZoneOffset.UTC,
                ProcessSurroundings.ids(),
                ProcessSurroundings.threads("storage"),
                warnings::add);
        return storages.open(url, mode, Map.of("read_sessions_json", "false", "write_sessions_json", "false"));
    }
}
