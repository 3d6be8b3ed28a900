package dev.parley.persistence.jsonl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.parley.application.port.StorageCorrupt;
import dev.parley.application.port.StorageUnavailable;
import dev.parley.application.spi.TranscriptFileReader;
import dev.parley.application.spi.TranscriptFileReader.TranscriptFile;
import dev.parley.domain.transcript.Content;
import dev.parley.domain.transcript.Message;
import dev.parley.domain.transcript.ToolCall;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

@DisplayName("storage 7.5: reading a session file")
class SessionFileFixturesTest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final TranscriptFileReader READER = new JsonlTranscriptFileReader();

    @TempDir
    Path directory;

    static Stream<Arguments> recorded() throws IOException {
        try (InputStream in = SessionFileFixturesTest.class.getResourceAsStream("/session-files-expected.json")) {
            List<Arguments> cases = new ArrayList<>();
            JSON.readTree(in)
                    .get("load")
                    .forEach(each -> cases.add(Arguments.of(each.get("file").asText(), each)));
            return cases.stream();
        }
    }

    /** What the original program returned, wherever nothing else is required of ours. */
    @ParameterizedTest(name = "{0}")
    @MethodSource("recorded")
    void aFileIsReadAsItWasRecorded(String name, JsonNode expected) throws IOException {
        JsonNode reference = expected.get("reference");
        if (expected.has("required")) {
            assertThat(REQUIRED).contains(name);
        } else if (reference.get("ok").asBoolean()) {
            TranscriptFile read = READER.read(fixture(name));
            assertThat(meta(read)).isEqualTo(reference.get("meta"));
            assertThat(messages(read)).isEqualTo(reference.get("messages"));
            assertThat(read.metaMissing()).isFalse();
        } else {
            assertThatThrownBy(() -> READER.read(fixture(name))).isInstanceOf(StorageCorrupt.class);
        }
    }

    /** Where storage 7.5 requires another answer than the original's; each has a test of its own below. */
    private static final List<String> REQUIRED = List.of(
            "meta-neg-uptime.jsonl",
            "meta-float-uptime.jsonl",
            "meta-is-message.jsonl",
            "array-content.jsonl",
            "dup-key-msg.jsonl",
            "bad-utf8-mid.jsonl",
            "torn-utf8-tail.jsonl",
            "message-with-compact-key.jsonl",
            "tool-call-no-args.jsonl");

    @Test
    @DisplayName("storage 7.5: uptime: negative counts as 0, a fraction is cut off")
    void anOddUptimeIsMadeWhole() throws IOException {
        assertThat(READER.read(fixture("meta-neg-uptime.jsonl")).meta().uptimeSecs())
                .isZero();
        assertThat(READER.read(fixture("meta-float-uptime.jsonl")).meta().uptimeSecs())
                .isEqualTo(1);
    }

    @Test
    @DisplayName("storage 7.5: a lost first line does not lose the messages")
    void aLostFirstLineDoesNotLoseTheMessages() throws IOException {
        TranscriptFile read = READER.read(fixture("meta-is-message.jsonl"));
        assertThat(read.metaMissing()).isTrue();
        assertThat(read.meta()).isEqualTo(new TranscriptFileReader.FileMeta("", "", java.util.Optional.empty(), "", 0));
        assertThat(messages(read).toString())
                .isEqualTo("[{\"role\":\"user\",\"content\":\"hello\"},{\"role\":\"user\",\"content\":\"hello\"}]");
    }

    @Test
    @DisplayName("storage 7.5: agent and sender of a file that lost its first line stand in its name")
    void agentAndSenderAreTakenFromTheName() throws IOException {
        Path file = directory.resolve("crab_tg-1_4_title.jsonl");
        Files.writeString(file, "{\"compact\":\"S\"}\n{\"role\":\"user\",\"content\":\"x\"}\n");
        TranscriptFile read = READER.read(file);
        assertThat(read.meta().agent()).isEqualTo("crab");
        assertThat(read.meta().createdBy()).isEqualTo("tg-1");
        assertThat(read.context()).hasSize(2);
    }

    @Test
    @DisplayName("storage 7.5: content of several parts is kept as it is")
    void contentOfSeveralPartsIsKept() throws IOException {
        assertThat(READER.read(fixture("array-content.jsonl")).context().get(0).content())
                .isEqualTo(new Content.Multipart(
                        new dev.parley.domain.text.RawJson("[{\"type\":\"text\",\"text\":\"a\"}]"), List.of("a")));
    }

    @Test
    @DisplayName("storage 7.5: of two equal keys the last one counts")
    void ofTwoEqualKeysTheLastOneCounts() throws IOException {
        assertThat(messages(READER.read(fixture("dup-key-msg.jsonl"))).toString())
                .isEqualTo("[{\"role\":\"user\",\"content\":\"y\"}]");
    }

    @Test
    @DisplayName("storage 7.5: invalid UTF-8 loses its line only")
    void invalidUtf8LosesItsLineOnly() throws IOException {
        for (String name : List.of("bad-utf8-mid.jsonl", "torn-utf8-tail.jsonl")) {
            TranscriptFile read = READER.read(fixture(name));
            assertThat(messages(read).toString()).isEqualTo("[{\"role\":\"user\",\"content\":\"hello\"}]");
            assertThat(read.skipped()).containsExactly(new TranscriptFileReader.SkippedLine(3, "not valid UTF-8"));
        }
    }

    @Test
    @DisplayName("storage 7.5: an object with a role is a message, also where it has a compact key")
    void anObjectWithARoleIsAMessage() throws IOException {
        TranscriptFile read = READER.read(fixture("message-with-compact-key.jsonl"));
        assertThat(read.context())
                .extracting(message -> message.content().plainText())
                .containsExactly("hello", "m", "hello");
        assertThat(read.archived()).isZero();
    }

    @Test
    @DisplayName("storage 7.5: a tool call without arguments has empty ones")
    void aToolCallWithoutArgumentsHasEmptyOnes() throws IOException {
        Message message =
                READER.read(fixture("tool-call-no-args.jsonl")).context().get(0);
        assertThat(message.toolCalls().orElseThrow().calls()).containsExactly(new ToolCall("1", "f", ""));
    }

    @Test
    void whatStandsBeforeTheLastMarkerIsCounted() throws IOException {
        assertThat(READER.read(fixture("two-compacts.jsonl")).archived()).isEqualTo(2);
        assertThat(READER.read(fixture("compact-mid.jsonl")).archived()).isEqualTo(1);
        assertThat(READER.read(fixture("crlf.jsonl")).archived()).isZero();
    }

    @Test
    void everyLineThatIsPassedOverIsNamed() throws IOException {
        assertThat(READER.read(fixture("corrupt-mid.jsonl")).skipped())
                .extracting(TranscriptFileReader.SkippedLine::line)
                .containsExactly(3L);
        assertThat(READER.read(fixture("torn-last.jsonl")).skipped())
                .extracting(TranscriptFileReader.SkippedLine::line)
                .containsExactly(3L);
        assertThat(READER.read(fixture("trailing-garbage.jsonl")).skipped())
                .singleElement()
                .satisfies(line -> assertThat(line.why()).contains("junk"));
        assertThat(READER.read(fixture("blank-lines.jsonl")).skipped()).isEmpty();
    }

    @Test
    void aFileThatIsNotThereCannotBeRead() {
        assertThatThrownBy(() -> READER.read(directory.resolve("none.jsonl"))).isInstanceOf(StorageUnavailable.class);
    }

    @Test
    void readingChangesNothing() throws IOException {
        for (String name : REQUIRED) {
            Path file = fixture(name);
            byte[] before = Files.readAllBytes(file);
            READER.read(file);
            assertThat(Files.readAllBytes(file)).isEqualTo(before);
        }
    }

    private Path fixture(String name) throws IOException {
        Path file = directory.resolve(name);
        try (InputStream in =
                Objects.requireNonNull(SessionFileFixturesTest.class.getResourceAsStream("/session-files/" + name))) {
            Files.write(file, in.readAllBytes());
        }
        return file;
    }

    private static JsonNode meta(TranscriptFile read) {
        ObjectNode meta = JSON.createObjectNode();
        meta.put("agent", read.meta().agent());
        meta.put("created_at", read.meta().createdAt().orElse(""));
        meta.put("created_by", read.meta().createdBy());
        meta.put("title", read.meta().title());
        meta.put("uptime_secs", (int) read.meta().uptimeSecs());
        return meta;
    }

    /** The messages as the original writes them: what is empty is left out. */
    private static JsonNode messages(TranscriptFile read) throws IOException {
        List<JsonNode> list = new ArrayList<>();
        for (Message message : read.context()) {
            ObjectNode node = JSON.createObjectNode();
            node.put("role", message.role().name());
            if (!message.content().plainText().isEmpty()) {
                node.put("content", message.content().plainText());
            }
            if (message.toolCalls().isPresent()) {
                node.set(
                        "tool_calls",
                        JSON.readTree(
                                message.toolCalls().get().json().orElseThrow().text()));
            }
            list.add(node);
        }
        return JSON.readTree(JSON.writeValueAsString(list).getBytes(StandardCharsets.UTF_8));
    }
}
