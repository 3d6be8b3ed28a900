package dev.parley.persistence.sqlite.search;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.application.port.SearchHit;
import dev.parley.application.port.SearchQuery;
import dev.parley.application.spi.Storage;
import dev.parley.application.spi.StorageMaintenance.Arrangement;
import dev.parley.application.spi.StorageSettings.Mode;
import dev.parley.domain.session.Viewer;
import dev.parley.persistence.sqlite.HeldThreads;
import dev.parley.persistence.sqlite.Sql;
import dev.parley.persistence.sqlite.Stores;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** An index that is sound but lacks messages costs no answer. */
class IncompleteIndexTest {
    private static final int PAGE = 4096;

    @TempDir
    Path folder;

    private final HeldThreads threads = new HeldThreads();
    private final List<String> warnings = new ArrayList<>();

    static Stream<Arguments> losses() {
        Stream<Arguments> shared = Stream.of(
                        "DELETE FROM messages_fts WHERE rowid = 40",
                        "DELETE FROM messages_fts_trigram WHERE rowid = 40",
                        "DROP TABLE messages_fts; CREATE VIRTUAL TABLE messages_fts USING fts5(content)",
                        "DROP TABLE messages_fts_trigram; CREATE VIRTUAL TABLE messages_fts_trigram USING"
                                + " fts5(content, tokenize='trigram')")
                .map(loss -> Arguments.of(Arrangement.SHARED, loss));
        Stream<Arguments> compact = Stream.of(
                        "INSERT INTO messages_fts (messages_fts, rowid, content) SELECT 'delete', id, content FROM"
                                + " parley_indexed WHERE id = 40",
                        "INSERT INTO messages_fts_trigram (messages_fts_trigram, rowid, content) SELECT 'delete', id,"
                                + " content FROM parley_indexed_cjk WHERE id = 40",
                        "INSERT INTO messages_fts_trigram (messages_fts_trigram) VALUES ('delete-all')")
                .map(loss -> Arguments.of(Arrangement.COMPACT, loss));
        return Stream.concat(shared, compact);
    }

    @ParameterizedTest
    @MethodSource("losses")
    void whatTheIndexLacksIsFoundAndToldOnceAndTheIndexIsRebuilt(Arrangement form, String loss) throws Exception {
        Path file = filled(form);
        Sql.run(file, loss.split("; "));

        try (Storage storage = Stores.open(file, Mode.READ_WRITE, Map.of(), threads, warnings::add)) {
            assertThat(found(storage, "zanzibar40")).containsExactly(40L);
            assertThat(found(storage, "大别山")).hasSize(50).contains(40L);
            assertThat(warnings)
                    .singleElement()
                    .asString()
                    .contains("does not have every message", "no message is lost", "has begun");

            threads.run();
            assertThat(warnings).hasSize(2).last().asString().contains("is whole again");
            assertThat(storage.search().note()).isEmpty();
            assertThat(found(storage, "zanzibar40")).containsExactly(40L);
            assertThat(found(storage, "大别山")).hasSize(50).contains(40L);
            assertThat(storage.maintenance().check((done, total) -> {})).isEmpty();
        }
    }

    /** Other software makes a table of the index anew and leaves it empty, while this one has the file open. */
    @ParameterizedTest
    @EnumSource(Arrangement.class)
    void aTableThatIsMadeAnewMeanwhileIsNoticed(Arrangement form) throws Exception {
        Path file = filled(form);
        String created = String.valueOf(Sql.column(file, "SELECT sql FROM sqlite_master WHERE name = 'messages_fts'")
                .get(0));
        try (Storage storage = Stores.open(file, Mode.READ_WRITE, Map.of(), threads, warnings::add)) {
            assertThat(found(storage, "zanzibar40")).containsExactly(40L);
            Sql.run(file, "DROP TABLE messages_fts", created);

            assertThat(found(storage, "zanzibar40")).containsExactly(40L);
            assertThat(warnings).singleElement().asString().contains("does not have every message");
        }
    }

    @ParameterizedTest
    @EnumSource(Arrangement.class)
    void aReaderSaysWhatRebuildsTheIndex(Arrangement form) throws Exception {
        Path file = filled(form);
        String created = String.valueOf(Sql.column(file, "SELECT sql FROM sqlite_master WHERE name = 'messages_fts'")
                .get(0));
        Sql.run(file, "DROP TABLE messages_fts", created);
        List<String> notes = new ArrayList<>();
        try (Storage storage = Stores.read(file)) {
            storage.search().search(SearchQuery.of("zanzibar40"), notes::add);
        }
        assertThat(notes).singleElement().asString().contains("storage upgrade");
        try (Storage storage = Stores.write(file, threads)) {
            assertThat(storage.maintenance().repair((done, total) -> {}))
                    .singleElement()
                    .asString()
                    .startsWith("Rebuilt");
        }
        try (Storage storage = Stores.read(file)) {
            notes.clear();
            assertThat(storage.search().search(SearchQuery.of("zanzibar40"), notes::add))
                    .hasSize(1);
            assertThat(notes).isEmpty();
        }
    }

    /** Neighbours are looked up in that index (storage 5.6). */
    @ParameterizedTest
    @EnumSource(Arrangement.class)
    void aDamagedIndexOfTheMessagesTakesTheNeighboursOfAHitAwayAndIsTold(Arrangement form) throws Exception {
        Path file = filled(form);
        Sql.run(file, "PRAGMA wal_checkpoint(TRUNCATE)");
        long page = ((Number) Sql.column(file, "SELECT rootpage FROM sqlite_master WHERE name = 'idx_messages_session'")
                        .get(0))
                .longValue();
        try (FileChannel bytes = FileChannel.open(file, StandardOpenOption.WRITE)) {
            bytes.write(ByteBuffer.allocate(PAGE), (page - 1) * PAGE);
        }

        try (Storage storage = Stores.read(file)) {
            assertThat(storage.search().search(SearchQuery.of("zanzibar40")))
                    .singleElement()
                    .satisfies(hit -> {
                        assertThat(hit.sequence()).isEqualTo(40);
                        assertThat(hit.context()).isEmpty();
                    });
            assertThat(storage.search().search(SearchQuery.of("大别"))).isNotEmpty();
            assertThat(storage.maintenance().check((done, total) -> {})).isNotEmpty();
        }
    }

    @ParameterizedTest
    @EnumSource(Arrangement.class)
    void anIndexThatHasEverythingIsLeftAlone(Arrangement form) throws Exception {
        Path file = filled(form);
        try (Storage storage = Stores.open(file, Mode.READ_WRITE, Map.of(), threads, warnings::add)) {
            assertThat(found(storage, "zanzibar40")).containsExactly(40L);
            assertThat(found(storage, "大别山")).hasSize(50);
        }
        assertThat(warnings).isEmpty();
        assertThat(threads.held()).isZero();
    }

    /** A later version may index what it wants. */
    @ParameterizedTest
    @EnumSource(Arrangement.class)
    void theIndexOfALaterVersionIsLeftAlone(Arrangement form) throws Exception {
        Path file = filled(form);
        String created = String.valueOf(Sql.column(file, "SELECT sql FROM sqlite_master WHERE name = 'messages_fts'")
                .get(0));
        Sql.run(file, "DROP TABLE messages_fts", created, "UPDATE schema_version SET version = 21");
        try (Storage storage = Stores.open(file, Mode.READ_WRITE, Map.of(), threads, warning -> {})) {
            assertThat(found(storage, "zanzibar40")).isEmpty();
        }
        assertThat(threads.held()).isZero();
    }

    private static List<Long> found(Storage storage, String text) {
        SearchQuery all = new SearchQuery(
                text, Optional.empty(), List.of(), List.of(), -1, 0, Optional.empty(), Viewer.operator());
        return storage.search().search(all).stream().map(SearchHit::sequence).toList();
    }

    private Path filled(Arrangement form) throws Exception {
        Path file = folder.resolve("state.db");
        try (Storage storage = Stores.write(file)) {
            storage.maintenance().arrange(form, (done, total) -> {});
        }
        Sql.run(
                file,
                "INSERT INTO sessions (id, source, started_at) VALUES ('s', 'cli', 1)",
                "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 50) INSERT INTO messages (id,"
                        + " session_id, role, content, timestamp) SELECT i, 's', 'user', '大别山项目 zanzibar' || i, i"
                        + " FROM n");
        return file;
    }
}
