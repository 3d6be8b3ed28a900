package dev.parley.adapter.signal.inbound;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.parley.application.port.StorageUnavailable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SpoolTest {
    private static final JsonMapper JSON = JsonMapper.builder().build();

    @TempDir
    private Path directory;

    private final List<String> warnings = new ArrayList<>();

    private Spool open() {
        Spool spool = new Spool(directory.resolve("spool.jsonl"), warnings::add);
        spool.open();
        return spool;
    }

    private static JsonNode event(String text) {
        return JSON.createObjectNode().put("text", text);
    }

    private static List<String> texts(Spool spool) {
        return spool.first(1_000).stream()
                .map(entry -> entry.event().path("text").asText())
                .toList();
    }

    @Test
    void whatIsNotSettledIsThereAgainInOrder() {
        Spool spool = open();
        IntStream.range(0, 5).forEach(i -> spool.add(event("line\nof " + i)));
        spool.close();

        assertThat(texts(open())).containsExactly("line\nof 0", "line\nof 1", "line\nof 2", "line\nof 3", "line\nof 4");
    }

    @Test
    void aFileInWhichAllIsSettledIsEmpty() throws IOException {
        Spool spool = open();
        spool.add(event("one"));
        spool.add(event("two"));
        spool.settle(1);
        assertThat(texts(spool)).containsExactly("two");
        spool.settle(1);

        assertThat(Files.size(directory.resolve("spool.jsonl"))).isZero();
        spool.add(event("three"));
        assertThat(texts(open())).containsExactly("three");
    }

    @Test
    void aFileInWhichMuchIsSettledBecomesShorter() throws IOException {
        Spool spool = open();
        IntStream.range(0, 30).forEach(i -> spool.add(event(i + "x".repeat(100_000))));
        spool.settle(29);

        assertThat(Files.size(directory.resolve("spool.jsonl"))).isLessThan(200_000);
        spool.add(event("last"));
        spool.close();
        assertThat(texts(open())).hasSize(2).last().isEqualTo("last");
    }

    @Test
    void aLineThatWasCutOffIsLeftOutAndTheNextOneIsWhole() throws IOException {
        Spool spool = open();
        spool.add(event("one"));
        spool.close();
        Path file = directory.resolve("spool.jsonl");
        Files.writeString(file, Files.readString(file) + "{\"text\":\"tw");

        Spool later = open();
        later.add(event("three"));
        later.close();

        assertThat(texts(open())).containsExactly("one", "three");
        assertThat(warnings).isNotEmpty().allMatch(line -> line.contains("was cut off"));
    }

    @Test
    void whatTheHomeDoesNotTakeWaitsInMemoryAsFarAsThereIsRoom() throws IOException {
        Spool spool = open();
        spool.close();
        Path file = directory.resolve("spool.jsonl");
        Files.delete(file);
        Files.createDirectory(file);

        IntStream.range(0, 99).forEach(i -> spool.add(event("m" + i)));
        assertThat(spool.isFull()).isFalse();
        spool.add(event("m99"));

        assertThat(spool.isFull()).isTrue();
        assertThat(texts(spool)).hasSize(100);
        assertThat(warnings).singleElement().asString().contains("waits in memory alone");
        Files.delete(file);
        spool.settle(100);
        spool.add(event("later"));
        assertThat(spool.isFull()).isFalse();
        spool.close();
        assertThat(texts(open())).containsExactly("later");
    }

    @Test
    void aFileThatCannotBeReadKeepsThePlatformFromStarting() throws IOException {
        Files.createDirectory(directory.resolve("spool.jsonl"));

        assertThatThrownBy(this::open)
                .isInstanceOf(StorageUnavailable.class)
                .hasMessageContaining("holds messages of Signal that are not stored yet");
    }
}
