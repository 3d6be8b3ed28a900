package dev.parley.persistence.jsonl.file;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.domain.session.SessionId;
import dev.parley.domain.text.RawJson;
import dev.parley.domain.transcript.Content;
import dev.parley.domain.transcript.Message;
import dev.parley.domain.transcript.MessageId;
import dev.parley.domain.transcript.Reasoning;
import dev.parley.domain.transcript.Role;
import dev.parley.domain.transcript.StoredMessage;
import dev.parley.domain.transcript.ToolCall;
import dev.parley.domain.transcript.ToolCalls;
import dev.parley.persistence.jsonl.record.Generated;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("storage 7.1: the lines of a session file")
class SessionLineTest {
    private static final int GENERATED = Integer.getInteger("parley.generated", 400);
    private static final Instant AT = Instant.parse("2026-03-10T12:00:00.000000001Z");

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4})
    void aMessageReadBackIsTheMessageThatWasWritten(long seed) {
        Generated generated = new Generated(new Random(seed));
        for (int i = 0; i < GENERATED; i++) {
            Message message = generated.make(Message.class);
            StoredMessage.State state = generated.make(StoredMessage.State.class);
            StoredMessage stored = new StoredMessage(i + 1, SessionId.of("s"), message, state);
            byte[] line = SessionLine.of(stored);
            assertThat(line).endsWith('\n').containsOnlyOnce('\n');
            assertThat(SessionLine.parse(line)).isEqualTo(new SessionLine.Said(message, i + 1, state));
        }
    }

    @Test
    void aMessageStandsInTheKeysOfTheFormatInTheirOrder() {
        Message message = message(Role.ASSISTANT, Content.text("hé\u2028"))
                .toolCalls(ToolCalls.of(List.of(new ToolCall("1", "f", "{}"), new ToolCall("", "g", ""))))
                .reasoning(new Reasoning(
                        Optional.empty(), Optional.of("why"), Optional.empty(), Optional.empty(), Optional.empty()))
                .build();
        assertThat(text(message, StoredMessage.State.ACTIVE))
                .startsWith(
                        "{\"role\":\"assistant\",\"content\":\"hé\u2028\",\"reasoning_content\":\"why\",\"tool_calls\":["
                                + "{\"id\":\"1\",\"type\":\"function\",\"function\":{\"name\":\"f\",\"arguments\":\"{}\"}},"
                                + "{\"type\":\"function\",\"function\":{\"name\":\"g\"}}],\"parley\":{");
    }

    @Test
    void theResultOfAToolNamesItsCall() {
        Message message = message(Role.TOOL, Content.text("4"))
                .toolCallId("c1")
                .toolName("sum")
                .build();
        assertThat(text(message, StoredMessage.State.ACTIVE))
                .startsWith("{\"role\":\"tool\",\"content\":\"4\",\"tool_call_id\":\"c1\",\"parley\":{");
    }

    @Test
    void contentOfSeveralPartsStandsAsItWasReceived() {
        RawJson json = new RawJson("[ {\"type\":\"text\", \"text\":\"a\"},{\"type\":\"image_url\",\"x\":1.50} ]");
        Message message =
                message(Role.USER, new Content.Multipart(json, List.of("a"))).build();
        assertThat(text(message, StoredMessage.State.ACTIVE))
                .startsWith("{\"role\":\"user\",\"content\":" + json.text() + ",\"parley\":{");
    }

    @Test
    void malformedJsonIsKeptBesideAReadableForm() {
        RawJson malformed = new RawJson("[{\"function\": oops");
        Message message = message(Role.ASSISTANT, Content.none())
                .toolCalls(new ToolCalls(Optional.of(malformed), List.of(), 1))
                .build();
        String line = text(message, StoredMessage.State.ACTIVE);
        assertThat(line).startsWith("{\"role\":\"assistant\",\"tool_calls\":[],\"parley\":{");
        assertThat(SessionLine.parse(line.getBytes(StandardCharsets.UTF_8)))
                .isEqualTo(new SessionLine.Said(message, 1, StoredMessage.State.ACTIVE));
    }

    @Test
    void aSummaryIsACompactMarker() {
        Message message = message(Role.USER, Content.text("so far"))
                .kind(Message.Kind.SUMMARY)
                .build();
        assertThat(text(message, StoredMessage.State.ACTIVE)).startsWith("{\"compact\":\"so far\",\"parley\":{");
    }

    @Test
    void aMessageTakenBackHasNoRoleSoThatOtherReadersPassOverIt() {
        Message message = message(Role.USER, Content.text("oops")).build();
        assertThat(text(message, StoredMessage.State.REWOUND)).startsWith("{\"parley\":{\"said\":{");
    }

    @Test
    void aMessageBeforeASummaryStaysReadable() {
        Message message = message(Role.USER, Content.text("old")).build();
        assertThat(text(message, StoredMessage.State.COMPACTED)).startsWith("{\"role\":\"user\",\"content\":\"old\"");
    }

    @Test
    @DisplayName("storage 7.5: a line of nothing but white space of any script is blank")
    void aLineOfWhiteSpaceIsBlank() {
        for (String line : List.of("", " \t\r", "\u000B", "\u3000\u0085", "\u00A0\u2007")) {
            assertThat(SessionLine.parse(line.getBytes(StandardCharsets.UTF_8))).isEqualTo(SessionLine.BLANK);
        }
    }

    @Test
    @DisplayName("storage 4.1: half a surrogate pair from another writer becomes U+FFFD, and the message is kept")
    void halfASurrogatePairIsReplaced() {
        SessionLine line =
                SessionLine.parse("{\"role\":\"user\",\"content\":\"x\\ud83dy\"}".getBytes(StandardCharsets.UTF_8));
        assertThat(line)
                .isInstanceOfSatisfying(
                        SessionLine.Said.class,
                        said -> assertThat(said.message().content().plainText()).isEqualTo("x\uFFFDy"));
    }

    @Test
    void notesOfHidingAndReplacingAreReadBack() {
        SessionLine.Hidden hidden =
                new SessionLine.Hidden(List.of(new MessageId("a"), new MessageId("b")), StoredMessage.State.COMPACTED);
        assertThat(SessionLine.parse(SessionLine.of(hidden))).isEqualTo(hidden);
        assertThat(SessionLine.parse(SessionLine.of(new SessionLine.Replaced())))
                .isEqualTo(new SessionLine.Replaced());
    }

    private static Message.Builder message(Role role, Content content) {
        return Message.builder(new MessageId("m1"), role, content, AT);
    }

    private static String text(Message message, StoredMessage.State state) {
        return new String(
                SessionLine.of(new StoredMessage(1, SessionId.of("s"), message, state)), StandardCharsets.UTF_8);
    }
}
