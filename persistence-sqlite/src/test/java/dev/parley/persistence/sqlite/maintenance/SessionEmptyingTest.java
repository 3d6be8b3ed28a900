package dev.parley.persistence.sqlite.maintenance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.application.spi.Storage;
import dev.parley.application.spi.StorageMaintenance.Arrangement;
import dev.parley.domain.change.Change;
import dev.parley.domain.key.SessionKey;
import dev.parley.domain.session.Beginning;
import dev.parley.domain.session.Lane;
import dev.parley.domain.session.SessionEntry;
import dev.parley.domain.session.SessionId;
import dev.parley.domain.source.Platform;
import dev.parley.domain.source.SessionSource;
import dev.parley.persistence.sqlite.Openings;
import dev.parley.persistence.sqlite.Sql;
import dev.parley.persistence.sqlite.Stores;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A long session is emptied in steps, between which others write. */
class SessionEmptyingTest {
    private static final SessionId SESSION = SessionId.of("s");

    @TempDir
    Path folder;

    @ParameterizedTest
    @EnumSource(Arrangement.class)
    void othersWriteBetweenTheStepsWithoutWaiting(Arrangement form) throws Exception {
        Path file = filled(form, 1_000, 200);
        List<Long> left = new ArrayList<>();
        try (Storage storage = Stores.write(file);
                Connection other = Sql.connect(file);
                Statement statement = other.createStatement()) {
            statement.execute("PRAGMA busy_timeout = 0");
            storage.maintenance().emptyInSteps(SESSION, (done, total) -> {
                write(statement, "INSERT INTO state_meta (key, value) VALUES ('other-" + done + "', 'written')");
                left.add(total - done);
            });

            assertThat(left).containsExactly(800L, 600L, 400L, 200L);
            Stores.commit(storage, new Change.DeleteSession(SESSION));
            assertThat(storage.maintenance().check((done, total) -> {})).isEmpty();
        }
        assertThat(Sql.column(file, "SELECT count(*) FROM messages")).containsExactly(0);
        assertThat(Sql.column(file, "SELECT count(*) FROM parley_messages")).containsExactly(0);
        assertThat(Sql.column(file, "SELECT count(*) FROM state_meta WHERE value = 'written'"))
                .containsExactly(4);
    }

    @Test
    void longTextsMakeShorterSteps() throws Exception {
        Path file = filled(Arrangement.COMPACT, 30, 40_000);
        List<Long> left = new ArrayList<>();
        try (Storage storage = Stores.write(file)) {
            storage.maintenance().emptyInSteps(SESSION, (done, total) -> left.add(total - done));
        }
        assertThat(left).startsWith(28L, 26L, 24L).endsWith(2L);
    }

    @Test
    void aSessionThatIsTakenUpKeepsWhatIsLeft() throws Exception {
        Path file = filled(Arrangement.COMPACT, 1_000, 20);
        SessionKey key = SessionKey.of("agent:main:telegram:dm:42");
        SessionSource source = SessionSource.builder(Platform.TELEGRAM, "42").build();
        Lane lane = new Lane(SessionEntry.begin(key, SESSION, source, Openings.NOW, Beginning.ordinary()), 1);
        try (Storage storage = Stores.write(file)) {
            storage.maintenance()
                    .emptyInSteps(SESSION, (done, total) -> Stores.commit(storage, new Change.PutLane(lane)));
        }
        assertThat(Sql.column(file, "SELECT count(*) FROM messages")).containsExactly(800);
    }

    /** Taking texts out of a broken index fails; the deletion sets the index aside and needs no steps. */
    @Test
    void aBrokenIndexIsLeftToTheDeletion() throws Exception {
        Path file = filled(Arrangement.COMPACT, 1_000, 20);
        Sql.run(file, "DROP TABLE messages_fts_docsize");
        try (Storage storage = Stores.write(file)) {
            storage.maintenance().emptyInSteps(SESSION, (done, total) -> {});

            assertThat(Stores.commit(storage, new Change.DeleteSession(SESSION)).isCommitted())
                    .isTrue();
        }
        assertThat(Sql.column(file, "SELECT count(*) FROM messages")).containsExactly(0);
    }

    private Path filled(Arrangement form, int messages, int characters) throws Exception {
        Path file = folder.resolve("state.db");
        try (Storage storage = Stores.write(file)) {
            storage.maintenance().arrange(form, (done, total) -> {});
        }
        Sql.run(
                file,
                "INSERT INTO sessions (id, source, started_at, ended_at) VALUES ('s', 'cli', 1, 2)",
                "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < " + messages + ")"
                        + " INSERT INTO messages (id, session_id, role, content, timestamp) SELECT i, 's', 'user',"
                        + " substr('zanzibar ' || replace(hex(zeroblob(" + characters + ")), '00', 'ab '), 1, "
                        + characters + "), i FROM n",
                "INSERT INTO parley_messages (message_row, uid, session_id, kind) SELECT id, 'm' || id, 's', 'plain'"
                        + " FROM messages");
        return file;
    }

    private static void write(Statement statement, String sql) {
        try {
            statement.execute(sql);
        } catch (SQLException e) {
            throw new AssertionError("Another writer had to wait.", e);
        }
    }
}
