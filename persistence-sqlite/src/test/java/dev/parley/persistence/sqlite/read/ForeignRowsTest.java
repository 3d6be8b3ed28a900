package dev.parley.persistence.sqlite.read;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.parley.application.port.SessionListing;
import dev.parley.application.port.SessionQuery;
import dev.parley.application.spi.Storage;
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
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Another system writes sessions and messages into the same file; lists by activity take them in (storage 3.9). */
class ForeignRowsTest {
    private static final long EPOCH = Openings.NOW.getEpochSecond();

    @TempDir
    Path folder;

    private Path file;
    private Storage store;

    @BeforeEach
    void open() {
        file = folder.resolve("state.db");
        store = Stores.write(file);
        for (int i = 1; i <= 20; i++) {
            own("own-" + i, i);
        }
    }

    @AfterEach
    void close() {
        store.close();
    }

    @Test
    void aForeignSessionIsListedByItsStart() throws Exception {
        foreign("insert into sessions(id, source, started_at) values ('foreign', 'cli', " + (EPOCH + 100) + ")");

        assertThat(byActivity(2)).containsExactly("foreign", "own-20");
    }

    /** Storage 3.7: a continuation may begin at the very reading of the clock at which its parent ended. */
    @Test
    void aContinuationIsFoundWhereItsTimeHasMoreDigitsThanMicroseconds() throws Exception {
        String moment = EPOCH + 50 + ".7500029";
        foreign(
                "insert into sessions(id, source, started_at, ended_at, end_reason) values ('root', 'cli', " + EPOCH
                        + ", " + moment + ", 'compression')",
                "insert into sessions(id, source, started_at, parent_session_id) values ('tip', 'cli', " + moment
                        + ", 'root')");

        assertThat(store.sessions().list(SessionQuery.usual()))
                .filteredOn(row -> row.lineageRoot().isPresent())
                .extracting(row -> row.session().id().value())
                .containsExactly("tip");
    }

    @Test
    void aForeignMessageMovesItsSessionToTheTop() throws Exception {
        foreign("insert into messages(session_id, role, timestamp) values ('own-3', 'user', " + (EPOCH + 200) + ")");

        assertThat(byActivity(2)).containsExactly("own-3", "own-20");
        own("own-21", 300);
        assertThat(byActivity(3)).containsExactly("own-21", "own-3", "own-20");
    }

    @Test
    void messagesThatOthersDeletedNoLongerCount() throws Exception {
        foreign("delete from messages where session_id = 'own-20'");
        foreign("update sessions set started_at = " + (EPOCH - 1000) + " where id = 'own-20'");

        assertThat(byActivity(2)).containsExactly("own-19", "own-18");
        assertThat(byActivity(20)).hasSize(20).endsWith("own-20");
    }

    @Test
    void aSessionThatOthersDeletedIsGone() throws Exception {
        foreign("delete from messages where session_id = 'own-20'");
        foreign("delete from sessions where id = 'own-20'");

        assertThat(byActivity(2)).containsExactly("own-19", "own-18");
    }

    @ParameterizedTest
    @ValueSource(ints = {7, 150})
    void manyForeignSessionsAreTakenIn(int count) throws Exception {
        try (Connection other = other();
                Statement statement = other.createStatement()) {
            for (int i = 0; i < count; i++) {
                statement.execute("insert into sessions(id, source, started_at) values ('foreign-" + i + "', 'cli', "
                        + (EPOCH + 1000 + i) + ")");
            }
        }
        List<String> newest = IntStream.range(0, count)
                .mapToObj(i -> "foreign-" + (count - 1 - i))
                .limit(5)
                .toList();

        assertThat(byActivity(5)).isEqualTo(newest);
        own("own-21", 1);
        assertThat(byActivity(5)).isEqualTo(newest);
    }

    @Test
    void aMessageOfAnotherSystemIsKnownByItsRow() throws Exception {
        foreign("insert into messages(session_id, role, content, timestamp) values ('own-1', 'user', 'x', " + EPOCH
                + ")");
        StoredMessage foreign =
                store.transcripts().tail(SessionId.of("own-1"), 1).get(0);

        assertThat(foreign.message().id()).isEqualTo(MessageId.ofRow(foreign.sequence()));

        Stores.commit(
                store,
                new Change.HideMessages(
                        SessionId.of("own-1"), List.of(foreign.message().id()), StoredMessage.State.COMPACTED));

        assertThat(store.transcripts().load(SessionId.of("own-1")))
                .doesNotContain(foreign)
                .hasSize(1);
    }

    @Test
    void aMessageThatOthersDeletedCanBeAppendedAgain() throws Exception {
        foreign("delete from messages where session_id = 'own-1'");

        Stores.commit(store, append("own-1", 5));

        assertThat(store.transcripts().load(SessionId.of("own-1"))).hasSize(1);
    }

    /** Later versions put sessions away and add columns of their own (storage 1.8). */
    @Test
    void archivedSessionsAreLeftOutOfLists() throws Exception {
        foreign("alter table sessions add column archived integer default 0");
        foreign("update sessions set archived = 1 where id = 'own-20'");

        assertThat(byActivity(1)).containsExactly("own-19");
        assertThat(store.sessions().find(SessionId.of("own-20"))).isPresent();
    }

    @Test
    void archivedSessionsAreListedWhereTheyAreAskedFor() throws Exception {
        foreign("alter table sessions add column archived integer default 0");
        foreign("update sessions set archived = 1 where id = 'own-20'");

        assertThat(store.sessions()
                        .list(SessionQuery.usual()
                                .window(2, 0)
                                .ordered(SessionQuery.Order.LAST_ACTIVE)
                                .withArchived()))
                .extracting(
                        row -> row.session().id().value(), row -> row.session().archived())
                .containsExactly(tuple("own-20", true), tuple("own-19", false));
        assertThat(store.sessions().list(SessionQuery.usual().withArchived()))
                .hasSize(20)
                .filteredOn(row -> row.session().archived())
                .hasSize(1);
    }

    @Test
    void idsThatAreNotSafeAreLeftOut() throws Exception {
        foreign("insert into sessions(id, source, started_at) values ('../x', 'cli', " + (EPOCH + 100) + ")");
        foreign("insert into messages(session_id, role, timestamp) values ('../x', 'user', " + (EPOCH + 100) + ")");

        assertThat(byActivity(1)).containsExactly("own-20");
        assertThat(store.transcripts().countAll()).isEqualTo(21);
    }

    private List<String> byActivity(int limit) {
        return store
                .sessions()
                .list(SessionQuery.usual().window(limit, 0).ordered(SessionQuery.Order.LAST_ACTIVE))
                .stream()
                .map(SessionListing::session)
                .map(session -> session.id().value())
                .toList();
    }

    private void own(String id, int second) {
        Stores.commit(
                store,
                new Change.CreateSession(Session.builder(SessionId.of(id), "cli", Openings.NOW.minusSeconds(500))
                        .build()),
                append(id, second));
    }

    private static Change append(String session, int second) {
        return new Change.AppendMessages(
                SessionId.of(session),
                List.of(Message.builder(
                                new MessageId("m-" + session),
                                Role.USER,
                                Content.text("hello"),
                                Openings.NOW.plusSeconds(second))
                        .build()));
    }

    private void foreign(String... sql) throws Exception {
        try (Connection other = other();
                Statement statement = other.createStatement()) {
            for (String each : sql) {
                statement.execute(each);
            }
        }
    }

    private Connection other() throws Exception {
        return DriverManager.getConnection("jdbc:sqlite:" + file);
    }
}
