package dev.parley.domain.transcript;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.domain.session.SessionId;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Storage 4.4: what a replayed conversation leaves out. */
class ConversationTest {
    private final List<StoredMessage> messages = new ArrayList<>();

    private void say(Role role, Content content) {
        long row = messages.size() + 1L;
        messages.add(new StoredMessage(
                row,
                SessionId.of("s"),
                Message.builder(MessageId.ofRow(row), role, content, Instant.EPOCH)
                        .build(),
                StoredMessage.State.ACTIVE));
    }

    private static List<String> texts(List<Message> conversation) {
        return conversation.stream().map(m -> m.content().plainText()).toList();
    }

    @ParameterizedTest
    @CsvSource(
            quoteCharacter = '`',
            value = {
                "`<memory-context>old</memory-context>  new `, new",
                "`<MEMORY-CONTEXT >a\nb</ memory-context>x`, x",
                "`before <memory-context> open`, `before  open`",
                "`</memory-context>x`, x",
                "`[System note: The following is recalled memory context, NOT new input.]\n\nx`, x",
                "`\u00A0x\u3000`, x",
                "`<memory-context>a</memory-context>x<memory-context>b</memory-context>`, x",
            })
    @DisplayName(
            "storage 4.4: recalled memory, its note and stray tags are taken out, and white space of the storage rules")
    void recalledMemoryIsTakenOut(String stored, String replayed) {
        assertThat(Conversation.withoutRecalledMemory(stored)).isEqualTo(replayed);
    }

    @Test
    @DisplayName("storage 4.4: tool results, system texts and multi-part content are not touched")
    void onlyUsersAndAgentsTextsAreCleaned() {
        say(Role.TOOL, Content.text(" <memory-context>a</memory-context> "));
        say(Role.SYSTEM, Content.text(" s "));
        say(Role.USER, Content.text(" u "));
        assertThat(texts(Conversation.of(messages)))
                .containsExactly(" <memory-context>a</memory-context> ", " s ", "u");
    }

    @Test
    @DisplayName("storage 4.4: with ancestors a repeated question is left out, unless the agent said something between")
    void aRepeatedQuestionIsLeftOut() {
        say(Role.USER, Content.text("q"));
        say(Role.USER, Content.text("other"));
        say(Role.ASSISTANT, Content.none());
        say(Role.USER, Content.text("q"));
        say(Role.ASSISTANT, Content.text("a"));
        say(Role.USER, Content.text("q"));
        say(Role.USER, Content.text(""));
        say(Role.USER, Content.text(""));
        assertThat(texts(Conversation.withAncestors(messages))).containsExactly("q", "other", "", "a", "q", "", "");
        assertThat(Conversation.of(messages)).hasSize(8);
    }

    @Test
    @DisplayName("storage 4.4: an assistant message that only calls tools counts as something said")
    void toolCallsEndTheSearchForRepeats() {
        say(Role.USER, Content.text("q"));
        messages.add(new StoredMessage(
                9,
                SessionId.of("s"),
                Message.builder(MessageId.ofRow(9), Role.ASSISTANT, Content.none(), Instant.EPOCH)
                        .toolCalls(ToolCalls.of(List.of(new ToolCall("c", "look", "{}"))))
                        .build(),
                StoredMessage.State.ACTIVE));
        say(Role.USER, Content.text("q"));
        assertThat(texts(Conversation.withAncestors(messages))).containsExactly("q", "", "q");
    }
}
