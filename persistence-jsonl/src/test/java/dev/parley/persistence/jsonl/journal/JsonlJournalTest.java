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
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.LongStream;
import java.util.stream.Stream;
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
    void aFileWithANumberThatNoPlaceHasIsLeftAlone() throws IOException {
        Files.createFile(directory.resolve("aside-0000000000000000001-9999999999999999999.jsonl"));
        try (Journal journal = open()) {
            assertThat(journal.append(batch(1))).isEqualTo(1);
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
    void zerosBeforeALaterWriteAreDamageAndNothingIsCutOff() throws IOException {
        byte[] whole = written(5);
        List<Integer> begins = begins(whole);
        int third = begins.get(2);
        int fourth = begins.get(3);
        int fifth = begins.get(4);
        int sixth = begins.get(5);
        assertDamaged(zeroed(whole, third + 20, third + 40), "byte " + third);
        assertDamaged(zeroed(whole, third, third + 3), "byte " + third);
        assertDamaged(zeroed(whole, third, fourth), "byte " + third);
        assertDamaged(zeroed(whole, third + 20, fifth + 20), "byte " + third);
        assertDamaged(zeroed(whole, third + 20, sixth), "byte " + third);
        assertDamaged(zeroed(whole, fourth - 1, fourth), "byte " + third);
        assertDamaged(zeroed(whole, 0, sixth), "byte 0");
    }

    @Test
    void zerosBeforeALaterWriteAreDamageAlsoInFrontOfSpaceTakenAhead() throws IOException {
        byte[] whole = Arrays.copyOf(written(5), 256 * 1024);
        int third = begins(whole).get(2);
        assertDamaged(zeroed(whole, third + 20, third + 40), "byte " + third);
    }

    @Test
    void zerosInTheLastWriteAreATornOneAndCutOff() throws IOException {
        byte[] whole = written(3);
        int last = begins(whole).get(3);
        for (int from = last; from < whole.length; from += 7) {
            for (int to : List.of(from + 1, Math.min(from + 20, whole.length), whole.length)) {
                Files.write(current(), zeroed(whole, from, to));
                try (Journal journal = open()) {
                    assertThat(journal.read(0, 10)).containsExactly(entry(1), entry(2));
                }
                assertThat(Files.readAllBytes(current())).isEqualTo(Arrays.copyOf(whole, last));
            }
        }
    }

    @Test
    void aLastLineThatHasItsEndAndNoZerosWasWrittenWhole() throws IOException {
        byte[] whole = written(3);
        int last = begins(whole).get(3);
        for (int at : List.of(last + 3, last + 10, last + 40, whole.length - 5)) {
            byte[] damaged = whole.clone();
            damaged[at] ^= 1;
            assertDamaged(damaged, "byte " + last);
        }
    }

    /** A power cut writes the parts of a write in any order. */
    @Test
    void aWriteOfManyLinesIsTornAnywhere() throws IOException {
        try (LogFile log = LogFile.create(current())) {
            log.append(List.of(line(1)));
            log.append(List.of(line(2), line(3), line(4)));
        }
        byte[] whole = Files.readAllBytes(current());
        int second = begins(whole).get(2);
        for (int at = second; at < whole.length; at++) {
            Files.write(current(), zeroed(whole, at, at + 1));
            List<String> read = new ArrayList<>();
            try (LogFile log =
                    LogFile.open(current(), (json, from, to) -> read.add(new String(json, StandardCharsets.UTF_8)))) {
                log.append(List.of(line(5)));
            }
            assertThat(read).hasSizeBetween(1, 3);
        }
        try (LogFile log = LogFile.open(current(), (json, from, to) -> {})) {
            log.append(List.of(line(6)));
        }
        byte[] later = Files.readAllBytes(current());
        assertDamaged(zeroed(later, second + 20, second + 21), "byte " + second);
    }

    @Test
    void zerosAmongLinesOfAnEarlierVersionAreDamage() throws IOException {
        LogFile.write(current(), Stream.of(line(1), line(2), line(3), line(4)));
        byte[] whole = Files.readAllBytes(current());
        int second = begins(whole).get(2);
        assertDamaged(zeroed(whole, second + 30, second + 31), "byte " + second);
    }

    private byte[] written(int batches) throws IOException {
        try (Journal journal = open()) {
            LongStream.rangeClosed(1, batches).forEach(i -> journal.append(batch(i)));
        }
        return Files.readAllBytes(current());
    }

    private Path current() {
        return directory.resolve("spill.jsonl");
    }

    /** Where the lines begin; the first is the one that says the version. */
    private static List<Integer> begins(byte[] lines) {
        List<Integer> begins = new ArrayList<>(List.of(0));
        for (int i = 0; i < lines.length; i++) {
            if (lines[i] == '\n') {
                begins.add(i + 1);
            }
        }
        return begins;
    }

    private static byte[] zeroed(byte[] lines, int from, int to) {
        byte[] zeroed = lines.clone();
        Arrays.fill(zeroed, from, to, (byte) 0);
        return zeroed;
    }

    private static byte[] line(int i) {
        return ("{\"number\":" + i + ",\"text\":\"what was said in line " + i + "\"}").getBytes(StandardCharsets.UTF_8);
    }

    private void assertDamaged(byte[] damaged, String place) throws IOException {
        Files.write(current(), damaged);
        assertThatThrownBy(this::open)
                .isInstanceOf(StorageCorrupt.class)
                .hasMessageContaining("spill.jsonl")
                .hasMessageContaining(place + " is damaged");
        assertThat(Files.readAllBytes(current())).isEqualTo(damaged);
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
