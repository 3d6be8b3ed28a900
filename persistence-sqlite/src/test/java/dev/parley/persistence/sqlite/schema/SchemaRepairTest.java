package dev.parley.persistence.sqlite.schema;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.parley.application.port.SearchQuery;
import dev.parley.application.port.StorageCorrupt;
import dev.parley.application.spi.Storage;
import dev.parley.application.spi.StorageSettings.Mode;
import dev.parley.domain.session.SessionId;
import dev.parley.persistence.sqlite.Fixtures;
import dev.parley.persistence.sqlite.HeldThreads;
import dev.parley.persistence.sqlite.Sql;
import dev.parley.persistence.sqlite.Stores;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A list of tables that SQLite cannot read is repaired by an upgrade, after a copy was kept. Where nothing but the search index cannot be
 * read, that is set aside by each opening.
 */
class SchemaRepairTest {
    private static final String TWICE =
            "INSERT INTO sqlite_master(type, name, tbl_name, rootpage, sql) SELECT type, name, tbl_name, rootpage, sql FROM"
                    + " sqlite_master WHERE name = ";

    private static final SessionId SESSION = SessionId.of("20260109_080000_c10c01");

    @TempDir
    Path folder;

    private final List<String> warnings = new ArrayList<>();

    static Stream<String> unreadableIndex() {
        return Stream.of(
                TWICE + "'messages_fts'",
                TWICE + "'messages_fts_insert'",
                TWICE + "'messages_fts_trigram_docsize'",
                "UPDATE sqlite_master SET sql = 'CREATE VIRTUAL TABEL' WHERE name = 'messages_fts'",
                "UPDATE sqlite_master SET sql = 'CREATE TABLE messages_fts_data(' WHERE name = 'messages_fts_data'",
                "UPDATE sqlite_master SET sql = 'CREATE TRIGGER messages_fts_insert' WHERE name GLOB 'messages_fts*_insert'",
                "UPDATE sqlite_master SET rootpage = 4000000 WHERE name = 'messages_fts_trigram_idx'",
                "UPDATE sqlite_master SET sql = 'so' WHERE name GLOB 'messages_fts*'");
    }

    static Stream<String> unreadable() {
        return Stream.concat(unreadableIndex(), Stream.of(TWICE + "'messages'", TWICE + "'idx_messages_session'"));
    }

    @ParameterizedTest
    @MethodSource("unreadable")
    void anUpgradeRepairsTheListOfTables(String damage) throws Exception {
        Path file = Fixtures.copy("state-v11.db", folder);
        Stores.write(file).close();
        List<?> messages = Sql.rows(file, "SELECT * FROM messages ORDER BY id");
        Sql.run(file, "PRAGMA writable_schema = ON", damage);

        try (Storage storage = Stores.open(file, Mode.READ_WRITE, Map.of("repair_schema", "true"))) {
            assertThat(storage.maintenance().repair((done, total) -> {}))
                    .first()
                    .asString()
                    .startsWith("Kept a copy of the database as it was");
            assertThat(storage.maintenance().check((done, total) -> {})).isEmpty();
        }
        assertThat(Sql.rows(file, "SELECT * FROM messages ORDER BY id")).isEqualTo(messages);
        assertThat(folder.toFile().list()).anyMatch(name -> name.contains(".backup-"));
    }

    /** What cannot be read is only the index, which is made from the messages. */
    @ParameterizedTest
    @MethodSource("unreadableIndex")
    void aFileWhoseIndexCannotBeReadOpensAndIsTold(String damage) throws Exception {
        Path file = Fixtures.copy("state-v11.db", folder);
        Stores.write(file).close();
        List<?> messages = Sql.rows(file, "SELECT * FROM messages ORDER BY id");
        Sql.run(file, "PRAGMA writable_schema = ON", damage);

        try (Storage storage = Stores.open(file, Mode.READ_ONLY, Map.of())) {
            assertThat(storage.sessions().find(SESSION)).isPresent();
            assertThat(storage.search().search(SearchQuery.of("docker"))).isNotEmpty();
        }
        try (Storage storage = open(file)) {
            assertThat(warnings).singleElement().asString().contains("was set aside", "no message is lost");
            assertThat(storage.search().note()).isEmpty();
            assertThat(storage.search().search(SearchQuery.of("docker"))).isNotEmpty();
            storage.maintenance().compact();
            assertThat(storage.maintenance().check((done, total) -> {})).isEmpty();
        }
        assertThat(Sql.rows(file, "SELECT * FROM messages ORDER BY id")).isEqualTo(messages);
        assertThat(folder.toFile().list()).noneMatch(name -> name.contains(".backup-"));
    }

    /** More messages than are indexed at the opening. */
    @Test
    void theIndexOfALargeFileThatCouldNotBeReadIsRebuiltWhileOthersRead() throws Exception {
        Path file = Fixtures.copy("state-v11.db", folder);
        Stores.write(file).close();
        Sql.run(
                file,
                "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2100) INSERT INTO messages"
                        + " (session_id, role, content, timestamp) SELECT '" + SESSION
                        + "', 'user', 'zanzibar ' || i, i"
                        + " FROM n",
                "PRAGMA writable_schema = ON",
                TWICE + "'messages_fts'");

        HeldThreads threads = new HeldThreads();
        try (Storage storage = Stores.open(file, Mode.READ_WRITE, Map.of(), threads, warnings::add)) {
            assertThat(storage.search().search(SearchQuery.of("zanzibar 2099"))).isNotEmpty();
            assertThat(storage.search().note()).get().asString().contains("being rebuilt");
            threads.run();
            assertThat(storage.search().note()).isEmpty();
            assertThat(storage.search().search(SearchQuery.of("zanzibar 2099"))).hasSize(1);
            assertThat(storage.maintenance().check((done, total) -> {})).isEmpty();
        }
        assertThat(warnings).hasSize(2).last().asString().contains("is whole again");
    }

    @Test
    void aCopyIsKeptOfAnotherSystemsFileBeforeItsIndexIsSetAside() throws Exception {
        Path file = Fixtures.copy("state-v11.db", folder);
        Sql.run(file, "PRAGMA writable_schema = ON", TWICE + "'messages_fts'");

        open(file).close();

        assertThat(folder.toFile().list()).anyMatch(name -> name.contains(".backup-"));
        assertThat(warnings).anyMatch(line -> line.contains("Kept a copy"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"messages", "idx_messages_session", "sessions"})
    void aFileWhoseOtherTablesCannotBeReadIsRefusedAndNotChanged(String name) throws Exception {
        Path file = Fixtures.copy("state-v11.db", folder);
        Stores.write(file).close();
        Sql.run(file, "PRAGMA writable_schema = ON", TWICE + "'messages_fts'", TWICE + "'" + name + "'");
        byte[] before = Files.readAllBytes(file);

        assertThatThrownBy(() -> Stores.write(file))
                .isInstanceOf(StorageCorrupt.class)
                .hasMessageContaining("parley storage upgrade");
        assertThat(Files.readAllBytes(file)).isEqualTo(before);
    }

    private Storage open(Path file) {
        return Stores.open(file, Mode.READ_WRITE, Map.of(), new HeldThreads(), warnings::add);
    }

    @Test
    void aListThatCannotBeRepairedIsSaidSoWithOtherAdvice() throws Exception {
        Path file = Fixtures.copy("state-v11.db", folder);
        Stores.write(file).close();
        Sql.run(
                file,
                "PRAGMA writable_schema = ON",
                "UPDATE sqlite_master SET sql = 'CREATE TABLE messages(' WHERE name = 'messages'");

        assertThatThrownBy(() -> Stores.open(file, Mode.READ_WRITE, Map.of("repair_schema", "true")))
                .isInstanceOf(StorageCorrupt.class)
                .hasMessageContaining("restore a copy");
    }
}
