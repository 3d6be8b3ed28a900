package dev.parley.persistence.sqlite.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.application.spi.Storage;
import dev.parley.domain.change.Batch;
import dev.parley.domain.change.BatchId;
import dev.parley.domain.change.Change;
import dev.parley.domain.session.Session;
import dev.parley.domain.session.SessionId;
import dev.parley.domain.transcript.Content;
import dev.parley.domain.transcript.Message;
import dev.parley.domain.transcript.MessageId;
import dev.parley.domain.transcript.Role;
import dev.parley.domain.transcript.StoredMessage;
import dev.parley.persistence.sqlite.Openings;
import dev.parley.persistence.sqlite.Stores;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which row numbers imported messages get (storage 1.2, 6). */
class ImportedRowsTest {
    private static final SessionId SESSION = SessionId.of("s");

    @TempDir
    Path folder;

    private Storage store;
    private long sequence;

    @BeforeEach
    void open() {
        store = Stores.write(folder.resolve("state.db"));
        commit(new Change.CreateSession(
                Session.builder(SESSION, "cli", Openings.NOW).build()));
    }

    @AfterEach
    void close() {
        store.close();
    }

    @Test
    @DisplayName("6: in an empty file messages keep their numbers, gaps included")
    void anEmptyFileKeepsTheNumbers() {
        commit(imported(4, 7, 900));

        assertThat(rows()).containsExactly(4L, 7L, 900L);
    }

    @Test
    @DisplayName("storage 1.2: where there are messages, the numbers go on from theirs, and none is used twice")
    void theNumbersGoOnFromThoseThatAreThere() {
        commit(imported(4, 7));
        commit(imported(5, 6, 12));

        assertThat(rows()).containsExactly(4L, 7L, 8L, 9L, 12L);
    }

    @Test
    @DisplayName("An import with an absurd number does not use up the numbers")
    void anAbsurdNumberIsNotKept() {
        commit(imported(Long.MAX_VALUE, -3));

        assertThat(rows()).containsExactly(1L, 2L);
    }

    private Change imported(long... numbers) {
        return new Change.ImportMessages(Arrays.stream(numbers)
                .mapToObj(number -> new StoredMessage(number, SESSION, message(), StoredMessage.State.ACTIVE))
                .toList());
    }

    private Message message() {
        return Message.builder(new MessageId("m" + ++sequence), Role.USER, Content.text("x"), Openings.NOW)
                .build();
    }

    private List<Long> rows() {
        List<Long> rows = new ArrayList<>();
        store.transcripts().forEach(message -> rows.add(message.sequence()));
        return rows;
    }

    private void commit(Change change) {
        store.ledger().commit(new Batch(new BatchId("w", ++sequence), List.of(), List.of(change)));
    }
}
