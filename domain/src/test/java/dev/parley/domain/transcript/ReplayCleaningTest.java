package dev.parley.domain.transcript;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What of a stored conversation is given to an agent again (storage 4.4, P7.32, P7.35). */
class ReplayCleaningTest {
    private static final Instant NOW = Instant.parse("2026-03-10T09:00:00Z");

    private final List<Message> stored = new ArrayList<>();

    private void say(Role role, String text) {
        stored.add(Message.builder(
                        new MessageId("m" + stored.size()), role, Content.text(text), NOW.minus(Duration.ofMinutes(5)))
                .build());
    }

    private void call(String id, String tool) {
        stored.add(Message.builder(
                        new MessageId("m" + stored.size()), Role.ASSISTANT, Content.none(), NOW.minusSeconds(300))
                .toolCalls(ToolCalls.of(List.of(new ToolCall(id, tool, "{}"))))
                .build());
    }

    private void result(String id, String text) {
        stored.add(Message.builder(
                        new MessageId("m" + stored.size()), Role.TOOL, Content.text(text), NOW.minusSeconds(300))
                .toolCallId(id)
                .build());
    }

    private List<String> replayed() {
        return ReplayCleaning.replay(stored, NOW).stream()
                .map(m -> m.role().name() + ":" + m.content().plainText())
                .toList();
    }

    @Test
    @DisplayName("P7.32: stored notes are stripped, the text after them stays, and what is left empty is not replayed")
    void notesAreStripped() {
        say(Role.USER, "[System note: resumed.]\n\nhello");
        say(Role.USER, "[System note: resumed.]");
        say(Role.USER, "");
        say(Role.ASSISTANT, "hi");

        assertThat(replayed()).containsExactly("user:hello", "assistant:hi");
    }

    @Test
    @DisplayName("Storage 4.4: recalled memory is taken out, an unclosed tag loses only the tag, text is trimmed")
    void recalledMemoryIsTakenOut() {
        say(Role.USER, "a <memory-context>old\nfacts</memory-context> b");
        say(Role.ASSISTANT, " c < Memory-Context > d");

        assertThat(replayed()).containsExactly("user:a  b", "assistant:c  d");
    }

    @Test
    @DisplayName("Bookkeeping rows and results that nobody asked for are left out")
    void bookkeepingIsLeftOut() {
        say(Role.SESSION_META, "{}");
        result("x", "orphan");
        say(Role.USER, "hello");

        assertThat(replayed()).containsExactly("user:hello");
    }

    @Test
    @DisplayName("P7.35: a block with a result that was cut off is not replayed")
    void interruptedBlocksAreLeftOut() {
        say(Role.USER, "go");
        call("1", "run");
        result("1", "[Interrupted] by the user");
        say(Role.USER, "again");

        assertThat(replayed()).containsExactly("user:go", "user:again");
    }

    @Test
    @DisplayName("P7.35: an unanswered call that only looks is left out; another is answered with: effect unknown")
    void unansweredCalls() {
        say(Role.USER, "go");
        call("1", "read_file");
        call("2", "write_file");

        assertThat(replayed())
                .hasSize(3)
                .startsWith("user:go", "assistant:")
                .last()
                .asString()
                .contains("unknown");
        assertThat(ReplayCleaning.replay(stored, NOW).get(2).toolCallId()).contains("2");
    }

    @Test
    @DisplayName("P7.35: an old confirmation of something destructive has expired, a new one has not")
    void confirmationsExpire() {
        say(Role.USER, "Yes, delete it!");
        stored.add(
                Message.builder(new MessageId("new"), Role.USER, Content.text("yes, delete it"), NOW.minusSeconds(60))
                        .build());

        assertThat(replayed().get(0)).contains("expired");
        assertThat(replayed().get(1)).isEqualTo("user:yes, delete it");
    }
}
