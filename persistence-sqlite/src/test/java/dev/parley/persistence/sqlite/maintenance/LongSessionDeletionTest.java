package dev.parley.persistence.sqlite.maintenance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.application.port.SearchQuery;
import dev.parley.application.spi.Storage;
import dev.parley.application.spi.StorageMaintenance.Arrangement;
import dev.parley.application.spi.StorageSettings.Mode;
import dev.parley.domain.change.Change;
import dev.parley.domain.session.SessionId;
import dev.parley.persistence.sqlite.DeleteInProcess;
import dev.parley.persistence.sqlite.HeldThreads;
import dev.parley.persistence.sqlite.Sql;
import dev.parley.persistence.sqlite.Stores;
import java.io.File;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A long session is gone at once, and what the search index has of it goes in steps behind that. */
class LongSessionDeletionTest {
    private static final SessionId SESSION = SessionId.of("s");
    private static final Change DELETION = new Change.DeleteSession(SESSION);
    private static final String OBJECTS = "SELECT name || ': ' || coalesce(sql, '') FROM sqlite_master ORDER BY name";
    private static final String SEARCH_OF_OTHERS = "SELECT count(*) FROM messages_fts JOIN messages m ON m.id ="
            + " messages_fts.rowid JOIN sessions s ON s.id = m.session_id WHERE messages_fts MATCH 'zanzibar'";

    @TempDir
    Path folder;

    private final HeldThreads threads = new HeldThreads();

    @ParameterizedTest
    @EnumSource(Arrangement.class)
    void othersWriteBetweenTheStepsWithoutWaiting(Arrangement form) throws Exception {
        Path file = filled(form, 1_000, 90);
        List<Object> objects = Sql.column(file, OBJECTS);
        List<Long> left = new ArrayList<>();
        try (Storage storage = Stores.write(file, threads);
                Connection other = Sql.connect(file);
                Statement statement = other.createStatement()) {
            Stores.commit(storage, DELETION);
            statement.execute("PRAGMA busy_timeout = 0");
            storage.maintenance().finishDeletions((done, total) -> {
                write(statement, "INSERT INTO state_meta (key, value) VALUES ('other-" + done + "', 'written')");
                left.add(total - done);
            });
        }
        assertThat(left).containsExactly(800L, 600L, 400L, 200L, 0L);
        assertThat(Sql.column(file, "SELECT count(*) FROM state_meta WHERE value = 'written'"))
                .containsExactly(5);
        assertThat(Sql.column(file, OBJECTS)).isEqualTo(objects);
        assertNothingIsLeft(file);
    }

    /** Whoever reads, with Parley or with other software of schema 11, sees neither the session nor a message of it. */
    @ParameterizedTest
    @EnumSource(Arrangement.class)
    void nobodySeesWhatIsLeft(Arrangement form) throws Exception {
        Path file = filled(form, 1_000, 90);
        try (Storage storage = Stores.write(file, threads)) {
            Stores.commit(storage, DELETION);

            assertThat(Sql.column(file, "SELECT count(*) FROM messages_fts_docsize"))
                    .containsExactly(1_001);
            assertThat(storage.sessions().find(SESSION)).isEmpty();
            assertThat(storage.transcripts().countAll()).isEqualTo(1);
            assertThat(storage.search().search(SearchQuery.of("zanzibar"))).hasSize(1);
            assertThat(storage.search().search(SearchQuery.of("大别山"))).isEmpty();
            assertThat(storage.search().note()).isEmpty();
            assertThat(storage.maintenance().check((done, total) -> {})).isEmpty();
        }
        assertThat(Sql.column(file, SEARCH_OF_OTHERS)).containsExactly(1);
        assertThat(Sql.column(file, "SELECT count(*) FROM messages")).containsExactly(1);
        assertThat(Sql.column(file, "SELECT count(*) FROM parley_messages WHERE session_id = 's'"))
                .containsExactly(0);
        assertThat(Sql.column(file, "SELECT \"table\" FROM pragma_foreign_key_check"))
                .isEmpty();
        assertThat(Sql.column(file, "PRAGMA integrity_check")).containsExactly("ok");
        try (Storage storage = Stores.read(file)) {
            assertThat(storage.maintenance().check((done, total) -> {})).isEmpty();
        }
    }

    @Test
    void longTextsMakeShorterSteps() throws Exception {
        Path file = filled(Arrangement.COMPACT, 30, 40_000);
        List<Long> left = new ArrayList<>();
        try (Storage storage = Stores.write(file, threads)) {
            Stores.commit(storage, DELETION);
            storage.maintenance().finishDeletions((done, total) -> left.add(total - done));
        }
        assertThat(left).startsWith(27L, 25L, 23L, 20L).endsWith(3L, 0L);
        assertNothingIsLeft(file);
    }

    @Test
    void aShortSessionLeavesNothing() throws Exception {
        Path file = filled(Arrangement.COMPACT, 200, 90);
        try (Storage storage = Stores.write(file, threads)) {
            Stores.commit(storage, DELETION);
        }
        assertThat(threads.held()).isZero();
        assertNothingIsLeft(file);
    }

    @ParameterizedTest
    @EnumSource(Arrangement.class)
    void aStoreFinishesByItselfWhatItDeleted(Arrangement form) throws Exception {
        Path file = filled(form, 500, 90);
        try (Storage storage = Stores.write(file, threads)) {
            Stores.commit(storage, DELETION);
            threads.run();
        }
        assertNothingIsLeft(file);
    }

    @ParameterizedTest
    @EnumSource(Arrangement.class)
    void whatAKilledProcessLeftIsFinishedByTheNextOpening(Arrangement form) throws Exception {
        Path file = filled(form, 1_000, 90);
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:+UseSerialGC",
                        "-cp",
                        classPath(),
                        DeleteInProcess.class.getName(),
                        file.toString(),
                        SESSION.value())
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("process.txt").toFile())
                .start();
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(process.exitValue()).isEqualTo(DeleteInProcess.DIED);

        try (Storage storage = Stores.write(file, threads)) {
            assertThat(Sql.column(file, "SELECT count(*) FROM parley_removed")).containsExactly(800);
            assertThat(storage.sessions().find(SESSION)).isEmpty();
            assertThat(storage.transcripts().countAll()).isEqualTo(1);
            assertThat(storage.search().search(SearchQuery.of("zanzibar"))).hasSize(1);
            assertThat(storage.maintenance().check((done, total) -> {})).isEmpty();
            threads.run();
        }
        assertNothingIsLeft(file);
    }

    /** A rebuild makes the index from the messages there are, so nothing of others is in it any more. */
    @ParameterizedTest
    @EnumSource(Arrangement.class)
    void aRebuildMeanwhileLeavesNothingToDo(Arrangement form) throws Exception {
        Path file = filled(form, 500, 90);
        Arrangement other = form == Arrangement.COMPACT ? Arrangement.SHARED : Arrangement.COMPACT;
        try (Storage storage = Stores.write(file, threads)) {
            Stores.commit(storage, DELETION);
            storage.maintenance().arrange(other, (done, total) -> {});
            storage.maintenance().finishDeletions((done, total) -> {
                throw new AssertionError("Something was taken out of an index that does not have it.");
            });
        }
        assertNothingIsLeft(file);
    }

    @Test
    void givingSpaceBackFinishesDeletionsFirst() throws Exception {
        Path file = filled(Arrangement.SHARED, 500, 90);
        try (Storage storage = Stores.write(file, threads)) {
            Stores.commit(storage, DELETION);
            storage.maintenance().compact();
        }
        assertNothingIsLeft(file);
    }

    @Test
    void anIndexThatBreaksMeanwhileIsRebuiltAndToldOnce() throws Exception {
        Path file = filled(Arrangement.COMPACT, 500, 90);
        List<String> warnings = new CopyOnWriteArrayList<>();
        try (Storage storage = Stores.open(file, Mode.READ_WRITE, Map.of(), threads, warnings::add)) {
            Stores.commit(storage, DELETION);
            Sql.run(file, "DROP TABLE messages_fts_docsize");
            storage.maintenance().finishDeletions((done, total) -> {});

            assertThat(warnings).singleElement().asString().contains("search index", "no message is lost");
            threads.run();
            assertThat(storage.transcripts().countAll()).isEqualTo(1);
        }
        assertNothingIsLeft(file);
    }

    private static void assertNothingIsLeft(Path file) throws Exception {
        assertThat(Sql.column(file, "SELECT name FROM sqlite_master WHERE name = 'parley_removed'"))
                .isEmpty();
        assertThat(Sql.column(file, "SELECT id FROM messages_fts_docsize")).isEqualTo(List.of(5_000));
        Sql.run(
                file,
                "INSERT INTO messages_fts(messages_fts, rank) VALUES ('integrity-check', 1)",
                "INSERT INTO messages_fts_trigram(messages_fts_trigram, rank) VALUES ('integrity-check', 1)");
        try (Storage storage = Stores.read(file)) {
            assertThat(storage.maintenance().check((done, total) -> {})).isEmpty();
            assertThat(storage.search().search(SearchQuery.of("zanzibar"))).hasSize(1);
        }
    }

    /** Every tenth message is Chinese, one is of several parts, and one of another session shares their words. */
    private Path filled(Arrangement form, int messages, int characters) throws Exception {
        Path file = folder.resolve("state.db");
        try (Storage storage = Stores.write(file)) {
            storage.maintenance().arrange(form, (done, total) -> {});
        }
        Sql.run(
                file,
                "INSERT INTO sessions (id, source, started_at, ended_at) VALUES ('s', 'cli', 1, 2), ('t', 'cli', 1, 2)",
                "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < " + messages + ")"
                        + " INSERT INTO messages (id, session_id, role, content, tool_name, timestamp) SELECT i, 's',"
                        + " 'user', CASE WHEN i % 10 = 0 THEN '大别山项目 zanzibar ' || i ELSE substr('zanzibar ' ||"
                        + " replace(hex(zeroblob(" + characters + ")), '00', 'ab '), 1, " + characters + ") END,"
                        + " CASE WHEN i % 7 = 0 THEN 'terminal' END, i FROM n",
                "UPDATE messages SET content = char(0) || 'json:[{\"type\":\"text\",\"text\":\"大别山\"}]' WHERE id = 3",
                "INSERT INTO messages (id, session_id, role, content, timestamp) VALUES (5000, 't', 'user',"
                        + " 'zanzibar ab', 1)",
                "INSERT INTO parley_messages (message_row, uid, session_id, kind) SELECT id, 'm' || id, session_id,"
                        + " 'plain' FROM messages");
        return file;
    }

    private static void write(Statement statement, String sql) {
        try {
            statement.execute(sql);
        } catch (SQLException e) {
            throw new AssertionError("Another writer had to wait.", e);
        }
    }

    private static String classPath() {
        List<String> paths = new ArrayList<>();
        Stream.of("java.class.path", "jdk.module.path", "surefire.test.class.path")
                .map(name -> System.getProperty(name, ""))
                .filter(path -> !path.isEmpty())
                .forEach(paths::add);
        paths.add(Path.of("target", "test-classes").toAbsolutePath().toString());
        paths.add(Path.of("target", "classes").toAbsolutePath().toString());
        return paths.stream().collect(Collectors.joining(File.pathSeparator));
    }
}
