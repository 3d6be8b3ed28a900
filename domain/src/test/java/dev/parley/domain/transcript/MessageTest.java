package dev.parley.domain.transcript;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.parley.domain.text.RawJson;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class MessageTest {
    private static final Instant THEN = Instant.parse("2026-03-10T09:00:00Z");

    @Test
    void aRowsNumberComesBackFromItsId() {
        for (long row : new long[] {0, 1, 42, Long.MAX_VALUE}) {
            assertThat(MessageId.ofRow(row).row()).isEqualTo(row);
        }
    }

    @Test
    @DisplayName("Only what ofRow makes names a row: reading and writing an id is the identity")
    void onlyWhatWasMadeOfARowNamesOne() {
        for (String other : List.of(
                "m-1",
                "row-",
                "row-x",
                "row--5",
                "row-+5",
                "row-007",
                "row-5 ",
                "Row-5",
                "row-99999999999999999999",
                "5")) {
            assertThat(new MessageId(other).row()).as(other).isEqualTo(-1);
        }
    }

    @Test
    void anIdIsNotBlank() {
        assertThatThrownBy(() -> new MessageId(" ")).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void aCopyWithoutChangesIsTheSame() {
        Message full = Message.builder(new MessageId("m"), Role.TOOL, Content.text("x"), THEN)
                .toolCallId("c")
                .toolName("t")
                .toolCalls(ToolCalls.of(List.of(new ToolCall("c", "t", "{}"))))
                .tokenCount(4)
                .finishReason("stop")
                .reasoning(new Reasoning(
                        Optional.of("r"), Optional.of(""), Optional.empty(), Optional.empty(), Optional.empty()))
                .platformMessageId("p")
                .kind(Message.Kind.SUMMARY)
                .build();

        assertThat(full.toBuilder().build()).isEqualTo(full);
    }

    @Test
    @DisplayName("O4.20: what a person would read")
    void whatAPersonWouldRead() {
        Content parts = new Content.Multipart(new RawJson("[…]"), List.of("look", "here"));

        assertThat(Content.none().plainText()).isEmpty();
        assertThat(Content.text("x").plainText()).isEqualTo("x");
        assertThat(parts.plainText()).isEqualTo("look\nhere");
        assertThat(Content.none().isBlank()).isTrue();
        assertThat(Content.text(" \n").isBlank()).isTrue();
        assertThat(new Content.Multipart(new RawJson("[]"), List.of()).isBlank())
                .as("pictures alone say something")
                .isFalse();
        assertThat(Content.none()).isNotEqualTo(Content.text(""));
    }

    @Test
    void callsMadeHereAreCounted() {
        assertThat(ToolCalls.of(List.of(new ToolCall("a", "x", ""), new ToolCall("b", "y", "")))
                        .count())
                .isEqualTo(2);
        assertThat(ToolCalls.of(List.of()).json()).isEmpty();
    }
}
