package dev.parley.contracts.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.application.replay.SeededIds;
import dev.parley.application.transfer.SessionImport;
import dev.parley.domain.session.Session;
import dev.parley.domain.session.SessionId;
import dev.parley.domain.transcript.Content;
import dev.parley.domain.transcript.Message;
import dev.parley.domain.transcript.MessageId;
import dev.parley.domain.transcript.Role;
import dev.parley.domain.transcript.StoredMessage;
import dev.parley.testing.memory.MemoryStorage;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Imports of exported sessions (storage 6). */
class SessionImportTest {
    private static final Instant START = Instant.parse("2026-03-10T12:00:00Z");

    private final MemoryStorage storage = new MemoryStorage();
    private final SeededIds ids = new SeededIds(8);

    private SessionImport.Outcome add(SessionImport.Item... items) {
        return new SessionImport(storage, ids, SessionImport.Limits.DEFAULT).add(List.of(items));
    }

    @Test
    @DisplayName("6: sessions come with messages, times and counters, all messages in their one order")
    void imports() {
        assertThat(add(item("a", null, null, 1, 4), item("b", "a", "Plan", 2, 3)))
                .isEqualTo(new SessionImport.Outcome.Done(2, 4, 0, 0, 0));
        List<String> order = new ArrayList<>();
        storage.transcripts().forEach(m -> order.add(m.message().content().plainText()));
        assertThat(order).containsExactly("a1", "b2", "b3", "a4");
        assertThat(storage.sessions().find(SessionId.of("a")).orElseThrow().messageCount())
                .isEqualTo(2);
        assertThat(storage.sessions().find(SessionId.of("b")).flatMap(Session::parent))
                .contains(SessionId.of("a"));
        assertThat(storage.transcripts()
                        .load(SessionId.of("a"))
                        .get(0)
                        .message()
                        .at())
                .isEqualTo(START.plusSeconds(1));
    }

    @Test
    @DisplayName("6: what is there is skipped and stays as it is; importing twice changes nothing")
    void skips() {
        add(item("a", null, "Plan", 1));
        assertThat(add(item("a", null, "Other", 1, 2))).isEqualTo(new SessionImport.Outcome.Done(0, 0, 1, 0, 0));
        assertThat(storage.transcripts().countAll()).isEqualTo(1);
    }

    @Test
    @DisplayName("storage 6: a title that is taken gets the next number, also among the imported ones")
    void titles() {
        add(item("a", null, "Plan", 1));
        assertThat(add(item("b", null, "Plan", 2), item("c", null, "Plan", 3)))
                .isEqualTo(new SessionImport.Outcome.Done(2, 2, 0, 0, 2));
        assertThat(storage.sessions().findByTitle("Plan #2").map(Session::id)).contains(SessionId.of("b"));
        assertThat(storage.sessions().findByTitle("Plan #3").map(Session::id)).contains(SessionId.of("c"));
    }

    @Test
    @DisplayName("6: parents that are missing or lead back to their child are left out and counted")
    void parents() {
        assertThat(add(
                        item("a", "c", null, 1),
                        item("b", "a", null, 2),
                        item("c", "b", null, 3),
                        item("d", "nowhere", null, 4),
                        item("e", "e", null, 5)))
                .isEqualTo(new SessionImport.Outcome.Done(5, 5, 0, 3, 0));
        assertThat(storage.sessions().find(SessionId.of("b")).flatMap(Session::parent))
                .contains(SessionId.of("a"));
        assertThat(storage.sessions().find(SessionId.of("c")).flatMap(Session::parent))
                .isEmpty();
    }

    @Test
    @DisplayName("6: anything wrong and nothing is imported; all that is wrong is told")
    void refuses() {
        SessionImport.Outcome outcome = add(
                item("a", null, null, 1),
                item("a", null, null, 2),
                item("b", null, "x".repeat(101), 3),
                new SessionImport.Item(session("c", null, null, 0), List.of(), 6L * 1024 * 1024));
        assertThat(outcome)
                .isInstanceOfSatisfying(
                        SessionImport.Outcome.Refused.class,
                        refused -> assertThat(refused.problems())
                                .extracting(SessionImport.Problem::index)
                                .containsExactly(1, 2, 3));
        assertThat(storage.sessions().count(Optional.empty())).isZero();
    }

    @Test
    @DisplayName("6: the limits are configurable")
    void limits() {
        SessionImport tight = new SessionImport(storage, ids, new SessionImport.Limits(1, 1, 2, 99, 99));
        assertThat(tight.add(List.of(item("a", null, null, 1, 2), item("b", null, null, 3))))
                .isInstanceOfSatisfying(
                        SessionImport.Outcome.Refused.class,
                        refused -> assertThat(refused.problems())
                                .extracting(SessionImport.Problem::index)
                                .containsExactly(-1, -1, 0));
        assertThat(tight.add(List.of(item("a", null, null, 1)))).isInstanceOf(SessionImport.Outcome.Done.class);
    }

    private static SessionImport.Item item(
            String id, @Nullable String parent, @Nullable String title, long... sequences) {
        List<StoredMessage> messages = new ArrayList<>();
        for (long sequence : sequences) {
            messages.add(new StoredMessage(
                    sequence,
                    SessionId.of(id),
                    Message.builder(
                                    MessageId.ofRow(sequence),
                                    Role.USER,
                                    Content.text(id + sequence),
                                    START.plusSeconds(sequence))
                            .build(),
                    StoredMessage.State.ACTIVE));
        }
        return new SessionImport.Item(session(id, parent, title, sequences.length), messages, 10);
    }

    private static Session session(String id, @Nullable String parent, @Nullable String title, long messages) {
        return Session.builder(SessionId.of(id), "import", START)
                .parent(parent == null ? null : SessionId.of(parent))
                .title(title)
                .counts(messages, 0)
                .build();
    }
}
