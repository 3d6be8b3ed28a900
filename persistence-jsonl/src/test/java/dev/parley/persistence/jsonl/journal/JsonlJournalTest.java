package dev.parley.persistence.jsonl.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.parley.application.port.Journal;
import dev.parley.application.port.StorageCorrupt;
import dev.parley.application.port.StorageUnavailable;
import dev.parley.domain.change.Batch;
import dev.parley.domain.change.BatchId;
import dev.parley.domain.change.Change;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class JsonlJournalTest {
    @TempDir
    Path directory;

    @Test
    void batchesComeBackInTheOrderTheyWereAppended() {
        try (Journal journal = open()) {
            for (int i = 1; i <= 5; i++) {
                assertThat(journal.append(batch(i))).isEqualTo(i);
            }
            assertThat(journal.read(0, 2)).containsExactly(entry(1), entry(2));
            assertThat(journal.read(3, 10)).containsExactly(entry(4), entry(5));
            assertThat(journal.read(5, 10)).isEmpty();
            assertThat(journal.size()).isEqualTo(5);
        }
    }

    @Test
    void aJournalGoesOnWhereItStopped() {
        try (Journal journal = open()) {
            journal.append(batch(1));
        }
        try (Journal journal = open()) {
            assertThat(journal.append(batch(2))).isEqualTo(2);
            assertThat(journal.read(0, 10)).containsExactly(entry(1), entry(2));
        }
    }

    @Test
    void whatWaitsIsCountedAlsoWhileTheJournalIsInUse() {
        assertThat(JsonlJournal.waiting(directory.resolve("none"))).isZero();
        try (Journal journal = open()) {
            assertThat(JsonlJournal.waiting(directory)).isZero();
            LongStream.rangeClosed(1, 4).forEach(i -> journal.append(batch(i)));
            assertThat(JsonlJournal.waiting(directory)).isEqualTo(4);
            journal.putAside(3);
            assertThat(JsonlJournal.waiting(directory)).isEqualTo(1);
            journal.putAside(4);
            assertThat(JsonlJournal.waiting(directory)).isZero();
        }
    }

    @Test
    void spaceIsPutByBeforeTheFirstBatch() throws IOException {
        try (Journal journal = open()) {
            long before = Files.size(directory.resolve("spill.jsonl"));
            assertThat(before).isGreaterThanOrEqualTo(1024 * 1024);
            journal.append(batch(1));
            assertThat(Files.size(directory.resolve("spill.jsonl"))).isEqualTo(before);
        }
        assertThat(Files.size(directory.resolve("spill.jsonl")))
                .as("given back")
                .isLessThan(10_000);
    }

    @Test
    void whatIsPutAsideIsKeptAndNoLongerRead() throws IOException {
        try (Journal journal = open()) {
            LongStream.rangeClosed(1, 4).forEach(i -> journal.append(batch(i)));
            journal.putAside(2);
            assertThat(journal.read(0, 10)).containsExactly(entry(3), entry(4));
            assertThat(journal.size()).isEqualTo(2);
        }
        try (Journal journal = open()) {
            assertThat(journal.read(0, 10)).containsExactly(entry(3), entry(4));
            journal.putAside(9);
            assertThat(journal.size()).isZero();
            assertThat(journal.append(batch(5))).isEqualTo(5);
        }
        try (Journal journal = open()) {
            assertThat(journal.read(0, 10)).containsExactly(entry(5));
        }
        try (var files = Files.list(directory)) {
            assertThat(files.map(file -> file.getFileName().toString()))
                    .contains("aside-0000000000000000001-0000000000000000004.jsonl");
        }
    }

    @Test
    void placesRiseAfterEverythingWasPutAside() {
        try (Journal journal = open()) {
            journal.append(batch(1));
            journal.putAside(1);
        }
        try (Journal journal = open()) {
            assertThat(journal.append(batch(2))).isEqualTo(2);
        }
    }

    /** A process that dies leaves any part of its last line, and space it took ahead. */
    @Test
    void aLineTornAnywhereLosesNothingBeforeIt() throws IOException {
        try (Journal journal = open()) {
            journal.append(batch(1));
            journal.append(batch(2));
        }
        Path file = directory.resolve("spill.jsonl");
        byte[] whole = Files.readAllBytes(file);
        String lines = new String(whole, StandardCharsets.ISO_8859_1);
        int first = lines.indexOf('\n', lines.indexOf('\n') + 1) + 1;
        for (int length = first; length < whole.length; length++) {
            Files.write(file, Arrays.copyOf(whole, length));
            Files.write(file, new byte[100], StandardOpenOption.APPEND);
            try (Journal journal = open()) {
                assertThat(journal.read(0, 10)).containsExactly(entry(1));
                assertThat(journal.append(batch(2))).isEqualTo(2);
                assertThat(journal.read(0, 10)).containsExactly(entry(1), entry(2));
            }
            assertThat(Files.readAllBytes(file)).isEqualTo(whole);
        }
    }

    @Test
    void aDamagedLineBeforeWholeOnesIsNotTakenForATornOne() throws IOException {
        try (Journal journal = open()) {
            LongStream.rangeClosed(1, 4).forEach(i -> journal.append(batch(i)));
        }
        Path file = directory.resolve("spill.jsonl");
        byte[] whole = Files.readAllBytes(file);
        int first = new String(whole, StandardCharsets.ISO_8859_1).indexOf('\n');
        for (int at : List.of(3, 10, 30, first - 2, first + 10, first + 30)) {
            byte[] damaged = whole.clone();
            damaged[at] ^= 1;
            Files.write(file, damaged);
            assertThatThrownBy(this::open).isInstanceOf(StorageCorrupt.class).hasMessageContaining("damaged");
            assertThat(Files.readAllBytes(file)).isEqualTo(damaged);
        }
    }

    @Test
    void onlyOneOpensAJournal() {
        try (Journal journal = open()) {
            journal.append(batch(1));
            assertThatThrownBy(this::open)
                    .isInstanceOf(StorageUnavailable.class)
                    .hasMessageContaining(
                            "in use by process " + ProcessHandle.current().pid());
        }
        open().close();
    }

    @Test
    void aPlaceThatIsNoDirectoryCannotBeAJournal() throws IOException {
        Path file = Files.createFile(directory.resolve("file"));
        assertThatThrownBy(() -> new JsonlJournal(file))
                .isInstanceOf(StorageUnavailable.class)
                .hasMessageContaining("is a file");
    }

    private Journal open() {
        return new JsonlJournal(directory);
    }

    private static Journal.Entry entry(long i) {
        return new Journal.Entry(i, batch(i));
    }

    private static Batch batch(long i) {
        return new Batch(
                new BatchId("writer", i), List.of(), List.of(new Change.PutMeta("key" + i, "\0é\n\uD83D\uDE80" + i)));
    }
}
