package dev.parley.persistence.sqlite.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.application.port.SearchHit;
import dev.parley.application.port.SearchQuery;
import dev.parley.application.spi.Storage;
import dev.parley.domain.change.Change;
import dev.parley.domain.session.SessionId;
import dev.parley.domain.transcript.Content;
import dev.parley.domain.transcript.Message;
import dev.parley.domain.transcript.MessageId;
import dev.parley.domain.transcript.Role;
import dev.parley.persistence.sqlite.Fixtures;
import dev.parley.persistence.sqlite.Openings;
import dev.parley.persistence.sqlite.Sql;
import dev.parley.persistence.sqlite.Stores;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A broken search index never fails a write, and what was written meanwhile is found. */
class BrokenIndexTest {
    private static final SessionId SESSION = SessionId.of("20260213_180000_old003");

    @TempDir
    Path folder;

    @ParameterizedTest
    @ValueSource(
            strings = {
                "UPDATE messages_fts_data SET block = x'0102030405'",
                "UPDATE messages_fts_trigram_data SET block = x'0102030405'",
                "DROP TABLE messages_fts_config",
                "DROP TABLE messages_fts_content",
                "DROP TABLE messages_fts_trigram",
            })
    void aMessageIsStoredAndFoundThoughTheIndexIsBroken(String damage) throws Exception {
        Path file = Fixtures.copy("state-v9.db", folder);
        Stores.write(file).close();
        try (Storage storage = Stores.write(file)) {
            Sql.run(file, damage);

            assertThat(Stores.commit(storage, said("m1", "zanzibar")).isCommitted())
                    .isTrue();
            assertThat(Stores.commit(storage, said("m2", "zanzibar")).isCommitted())
                    .isTrue();

            assertThat(found(storage)).containsExactlyInAnyOrder(8L, 9L);
            assertThat(storage.maintenance().check((done, total) -> {})).isNotEmpty();
        }

        try (Storage storage = Stores.write(file)) {
            assertThat(found(storage)).containsExactlyInAnyOrder(8L, 9L);
            assertThat(storage.maintenance().check((done, total) -> {})).isEmpty();
        }
    }

    /** The index of this file was built by an older SQLite, and these rows cannot be taken out of it by this one. */
    @Test
    void aSessionIsDeletedThoughTheIndexDoesNotLetGoOfIt() throws Exception {
        Path file = Fixtures.copy("state-v11.db", folder);
        String session = String.valueOf(Sql.column(file, "SELECT session_id FROM messages WHERE id = 29")
                .get(0));
        try (Storage storage = Stores.write(file)) {
            Change.DeleteSession delete = new Change.DeleteSession(SessionId.of(session));
            assertThat(Stores.commit(storage, delete).isCommitted()).isTrue();

            assertThat(storage.sessions().find(SessionId.of(session))).isEmpty();
        }
        assertThat(Sql.column(file, "SELECT count(*) FROM messages WHERE session_id = '" + session + "'"))
                .containsExactly(0);
    }

    private static Change said(String id, String text) {
        return new Change.AppendMessages(
                SESSION,
                List.of(Message.builder(new MessageId(id), Role.USER, Content.text(text), Openings.NOW)
                        .build()));
    }

    private static List<Long> found(Storage storage) {
        return storage.search().search(SearchQuery.of("zanzibar")).stream()
                .map(SearchHit::sequence)
                .toList();
    }
}
