package dev.parley.bootstrap.process;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.application.spi.Storage;
import dev.parley.application.spi.StorageSettings.Mode;
import dev.parley.bootstrap.wiring.ProcessSurroundings;
import dev.parley.bootstrap.wiring.Providers;
import dev.parley.bootstrap.wiring.Storages;
import dev.parley.domain.change.Batch;
import dev.parley.domain.change.BatchId;
import dev.parley.domain.change.Change;
import dev.parley.domain.session.Session;
import dev.parley.domain.session.SessionId;
import dev.parley.domain.transcript.Content;
import dev.parley.domain.transcript.Message;
import dev.parley.domain.transcript.MessageId;
import dev.parley.domain.transcript.Role;
import dev.parley.home.HomeDirectory;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Copies whose process is killed in the middle. */
class KilledCopyIT {
    private static final int SESSIONS = 200;
    private static final int MESSAGES = 6_000;
    private static final int KILLS = 2;
    /** The copy is killed whenever its target has grown by so many bytes. */
    private static final long STEP = 700_000;

    @TempDir
    Path home;

    @ParameterizedTest(name = "{0} to {1}")
    @DisplayName("A copy that was killed twice goes on where it was, and the stores are the same in the end")
    @CsvSource({"sqlite:source.db, jsonl:target", "jsonl:source, sqlite:target.db"})
    void aKilledCopyGoesOn(String from, String to) throws Exception {
        fill(from);
        for (int kills = 0; kills < KILLS; kills++) {
            long enough = (kills + 1) * STEP;
            try (ParleyProcess copy = started(from, to, kills == 0 ? "" : "--resume")) {
                assertThat(copy.aliveWhen(() -> size() > enough))
                        .as("killed in the middle; " + copy.errors())
                        .isTrue();
                copy.kill();
            }
        }
        ParleyProcess.Ended resumed = ParleyProcess.run(
                home, "", "storage", "copy", "--from", from, "--to", to, "--resume", "--verify", "--json");
        assertThat(resumed.code()).as(resumed.err()).isZero();
        assertThat(resumed.out()).contains("\"differences\" : [ ]");
        assertThat(texts(to)).isEqualTo(texts(from));
    }

    private ParleyProcess started(String from, String to, String how) throws IOException {
        List<String> arguments = new ArrayList<>(List.of("storage", "copy", "--from", from, "--to", to));
        if (!how.isEmpty()) {
            arguments.add(how);
        }
        return ParleyProcess.started(home, arguments.toArray(String[]::new));
    }

    /** How many bytes the target has. */
    private long size() {
        try (Stream<Path> files = Files.walk(home)) {
            return files.filter(file -> home.relativize(file).toString().startsWith("target"))
                    .mapToLong(KilledCopyIT::size)
                    .sum();
        } catch (IOException | UncheckedIOException e) {
            return 0;
        }
    }

    private static long size(Path file) {
        try {
            return Files.isRegularFile(file) ? Files.size(file) : 0;
        } catch (IOException gone) {
            return 0;
        }
    }

    private void fill(String url) {
        try (Storage storage = open(url, Mode.READ_WRITE)) {
            Instant at = Instant.parse("2026-03-10T12:00:00Z");
            List<Change> changes = new ArrayList<>();
            for (int i = 0; i < SESSIONS; i++) {
                changes.add(new Change.CreateSession(Session.builder(SessionId.of("s" + i), "cli", at.plusSeconds(i))
                        .title("Title " + i)
                        .build()));
            }
            commit(storage, 0, changes);
            for (int i = 0; i < MESSAGES; i++) {
                Message message = Message.builder(
                                new MessageId("m" + i),
                                Role.USER,
                                Content.text("text " + i + " " + "word ".repeat(i % 97)),
                                at.plusSeconds(i))
                        .build();
                changes.add(new Change.AppendMessages(SessionId.of("s" + i * 31L % SESSIONS), List.of(message)));
                if (changes.size() == 1_000) {
                    commit(storage, i, changes);
                }
            }
        }
    }

    private static void commit(Storage storage, int sequence, List<Change> changes) {
        storage.ledger().commit(new Batch(new BatchId("fill", sequence + 1L), List.of(), List.copyOf(changes)));
        changes.clear();
    }

    private List<String> texts(String url) {
        List<String> texts = new ArrayList<>();
        try (Storage storage = open(url, Mode.READ_ONLY)) {
            storage.transcripts().forEach(row -> texts.add(row.session() + " " + row.message()));
        }
        return texts;
    }

    private Storage open(String url, Mode mode) {
        return new Storages(
                        Providers.find(home.resolve("plugins")),
                        new HomeDirectory(home),
                        InstantSource.system(),
                        ZoneOffset.UTC,
                        ProcessSurroundings.ids(),
                        ProcessSurroundings.threads("storage"),
                        warning -> {})
                .open(url, mode, Map.of());
    }
}
