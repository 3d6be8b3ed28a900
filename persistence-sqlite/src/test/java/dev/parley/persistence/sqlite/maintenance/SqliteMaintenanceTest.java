package dev.parley.persistence.sqlite.maintenance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.parley.application.port.InvalidRequest;
import dev.parley.persistence.sqlite.Fixtures;
import dev.parley.persistence.sqlite.Openings;
import dev.parley.persistence.sqlite.Sql;
import dev.parley.persistence.sqlite.connection.BusyRetry;
import dev.parley.persistence.sqlite.schema.OpenDatabase;
import dev.parley.persistence.sqlite.schema.SearchIndex;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** State, checks and repairs of a database. */
class SqliteMaintenanceTest {
    private static final BusyRetry RETRY = new BusyRetry(new Openings.CountedIds(), BusyRetry.Pause.parked());

    @TempDir
    Path folder;

    private final Openings openings = new Openings();
    private final List<Long> progress = new ArrayList<>();

    @Test
    void theStatusTellsVersionsCountsAndTheIndex() {
        Path file = Fixtures.copy("state-v11.db", folder);
        try (OpenDatabase database = openings.write(file)) {
            assertThat(maintenance(database).status())
                    .containsEntry("file", file.toString())
                    .containsEntry("mode", "read and write")
                    .containsEntry("schema version", "11")
                    .containsEntry("parley version", "2")
                    .containsEntry("journal mode", "wal")
                    .containsEntry("sessions", "18")
                    .containsEntry("messages", "60")
                    .containsEntry("lanes", "0")
                    .containsEntry("search index", "whole");
        }
    }

    @Test
    void theStatusOfAnOldFileIsToldWithoutChangingIt() {
        Path file = Fixtures.copy("state-v1.db", folder);
        String before = Fixtures.sha256(file);
        try (OpenDatabase database = openings.read(file)) {
            SqliteMaintenance maintenance = maintenance(database);
            assertThat(maintenance.status())
                    .containsEntry("mode", "read only")
                    .containsEntry("schema version", "1")
                    .containsEntry("parley version", "none")
                    .containsEntry("search index", "to be rebuilt");
            assertThat(maintenance.check(this::note)).singleElement().asString().contains("old or not whole");
            assertThatThrownBy(() -> maintenance.repair(this::note)).isInstanceOf(InvalidRequest.class);
            assertThatThrownBy(maintenance::compact).isInstanceOf(InvalidRequest.class);
        }
        assertThat(Fixtures.sha256(file)).isEqualTo(before);
    }

    @Test
    void onlyAFileOfALaterSharedSchemaResumesAtTheTip() throws Exception {
        Path file = Fixtures.copy("state-v11.db", folder);
        try (OpenDatabase database = openings.write(file)) {
            assertThat(maintenance(database).resumesAtTip()).isFalse();
        }
        Sql.run(file, "UPDATE schema_version SET version = 12");
        try (OpenDatabase database = openings.write(file)) {
            assertThat(maintenance(database).resumesAtTip()).isTrue();
        }
    }

    @Test
    void aFileOfANewerParleyIsNotCalledWhole() throws Exception {
        Path file = folder.resolve("state.db");
        openings.write(file).close();
        Sql.run(file, "UPDATE parley_schema SET version = 99");

        try (OpenDatabase database = openings.read(file)) {
            assertThat(maintenance(database).check(this::note))
                    .singleElement()
                    .asString()
                    .contains("written by a newer Parley", "99", "use that one");
        }
    }

    @Test
    void nothingIsWrongWithASoundFileAndNothingIsDoneToIt() {
        Path file = Fixtures.copy("state-v9.db", folder);
        try (OpenDatabase database = openings.write(file)) {
            assertThat(maintenance(database).check(this::note)).isEmpty();
            assertThat(progress).startsWith(0L, 1L, 2L).isSorted().hasSizeGreaterThan(20);
        }
        try (OpenDatabase database = openings.write(file)) {
            assertThat(maintenance(database).repair(this::note)).isEmpty();
        }
    }

    /**
     * The index of this file was built by an older SQLite, which ends a text at U+0000 where this one reads on. Each release takes
     * the other's index for malformed, so this is no damage, and the file is left as it is.
     */
    @Test
    void anIndexThatAnOlderSqliteMadeIsNoDamage() {
        Path file = Fixtures.copy("state-v11.db", folder);
        String before = Fixtures.sha256(file);
        try (OpenDatabase database = openings.read(file)) {
            assertThat(maintenance(database).check(this::note)).isEmpty();
        }
        assertThat(Fixtures.sha256(file)).isEqualTo(before);
        try (OpenDatabase database = openings.write(file)) {
            assertThat(maintenance(database).check(this::note)).isEmpty();
            assertThat(maintenance(database).repair(this::note)).isEmpty();
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "UPDATE messages_fts_trigram_data SET block = zeroblob(20) WHERE id > 10",
                "DELETE FROM messages_fts_trigram_data WHERE id > 10",
                "DELETE FROM messages_fts_trigram WHERE rowid = 19",
                "DELETE FROM messages WHERE instr(content, char(0))",
            })
    void aDamagedIndexOfAnOlderSqliteIsFoundAndRebuilt(String damage) throws Exception {
        Path file = Fixtures.copy("state-v11.db", folder);
        Sql.run(file, damage);
        try (OpenDatabase database = openings.write(file)) {
            SqliteMaintenance maintenance = maintenance(database);

            assertThat(maintenance.check(this::note))
                    .isNotEmpty()
                    .allMatch(line -> line.contains("parley storage upgrade"));
            assertThat(maintenance.repair(this::note))
                    .singleElement()
                    .asString()
                    .startsWith("Rebuilt the search index");
            assertThat(maintenance.check(this::note)).isEmpty();
        }
    }

    @Test
    void whatTheOpeningDidIsToldByTheFirstRepair() {
        Path file = Fixtures.copy("state-v9.db", folder);
        try (OpenDatabase database = openings.write(file)) {
            SqliteMaintenance maintenance = maintenance(database);
            assertThat(maintenance.repair(this::note)).contains("Brought the schema from version 9 to 11.");
            assertThat(maintenance.repair(this::note)).isEmpty();
        }
    }

    /** A broken index is found, is repaired without losing a row, and is sound afterwards. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "UPDATE messages_fts_data SET block = x'0102030405' WHERE id > 10",
                "UPDATE messages_fts_trigram_data SET block = zeroblob(20) WHERE id > 10",
                "UPDATE messages_fts_data SET block = x'0102030405'",
                "DELETE FROM messages_fts WHERE rowid = 3",
                "DELETE FROM messages_fts_trigram",
                "INSERT INTO messages_fts(rowid, content) VALUES (900, 'no such message')",
                "UPDATE messages_fts SET content = 'something else' WHERE rowid = 1",
                "DROP TRIGGER messages_fts_insert",
                "DROP TABLE messages_fts_config",
                "DROP TABLE messages_fts_trigram_idx",
                "DROP TABLE messages_fts_content",
                "DELETE FROM messages_fts_config",
            })
    void aBrokenIndexIsFoundAndRepaired(String damage) throws Exception {
        Path file = Fixtures.copy("state-v9.db", folder);
        openings.write(file).close();
        List<?> messages = Sql.rows(file, "SELECT * FROM messages ORDER BY id");
        try (OpenDatabase database = openings.write(file)) {
            Sql.run(file, damage);
            SqliteMaintenance maintenance = maintenance(database);

            assertThat(maintenance.check(this::note))
                    .isNotEmpty()
                    .allMatch(line -> line.contains("parley storage upgrade"));
            progress.clear();
            assertThat(maintenance.repair(this::note)).containsExactly("Rebuilt the search index over 6 messages.");
            assertThat(progress).containsExactly(6L);

            assertThat(maintenance.check(this::note)).isEmpty();
            assertThat(maintenance.repair(this::note)).isEmpty();
        }
        assertThat(Sql.rows(file, "SELECT * FROM messages ORDER BY id")).isEqualTo(messages);
        assertThat(Sql.column(file, "SELECT rowid FROM messages_fts WHERE messages_fts MATCH 'LEGACYFUNC'"))
                .containsExactly(2);
    }

    /** What a writer does when a statement fails on the index: nothing that was to be written is lost. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "UPDATE messages_fts_data SET block = x'0102030405'",
                "DROP TABLE messages_fts_config",
                "DROP TABLE messages_fts_content",
                "DROP TABLE messages_fts_trigram",
                "DROP TABLE messages_fts_docsize",
            })
    void aWriteThatFailsOnTheIndexSucceedsOnceItIsSetAside(String damage) throws Exception {
        Path file = Fixtures.copy("state-v9.db", folder);
        openings.write(file).close();
        try (OpenDatabase database = openings.write(file)) {
            Sql.run(file, damage);
            Connection writer = database.writer().orElseThrow();
            assertThatThrownBy(() -> RETRY.transaction(writer, () -> insert(writer)))
                    .isInstanceOfSatisfying(
                            SQLException.class,
                            failure -> assertThat(SearchIndex.isBroken(failure)).isTrue());
            RETRY.transaction(writer, () -> {
                SearchIndex.setAside(writer);
                return insert(writer);
            });
        }

        openings.write(file).close();

        assertThat(Sql.column(file, "SELECT count(*) FROM messages")).containsExactly(7);
        try (OpenDatabase database = openings.write(file)) {
            assertThat(maintenance(database).check(this::note)).isEmpty();
        }
        assertThat(Sql.column(file, "SELECT count(*) FROM messages_fts WHERE messages_fts MATCH 'writtenanyway'"))
                .containsExactly(1);
    }

    @Test
    void aFailureThatIsNotTheIndexesIsToldApart() throws Exception {
        Path file = folder.resolve("state.db");
        try (OpenDatabase database = openings.write(file)) {
            Connection writer = database.writer().orElseThrow();
            assertThatThrownBy(() -> insert(writer))
                    .isInstanceOfSatisfying(
                            SQLException.class,
                            failure -> assertThat(SearchIndex.isBroken(failure)).isFalse());
        }
    }

    @Test
    void damageBeyondTheIndexIsFoundAndNotRepaired() throws Exception {
        Path file = Fixtures.copy("state-v9.db", folder);
        openings.write(file).close();
        int root = ((Number) Sql.column(file, "SELECT rootpage FROM sqlite_master WHERE name = 'idx_messages_session'")
                        .get(0))
                .intValue();
        byte[] bytes = Files.readAllBytes(file);
        Arrays.fill(bytes, (root - 1) * 4096 + 4000, root * 4096, (byte) 0);
        Files.write(file, bytes);

        try (OpenDatabase database = openings.read(file)) {
            assertThat(maintenance(database).check(this::note))
                    .isNotEmpty()
                    .allMatch(line -> line.contains("restore a copy"));
        }
    }

    @Test
    void rowsThatNameWhatDoesNotExistAreFound() throws Exception {
        Path file = Fixtures.copy("state-v9.db", folder);
        Sql.run(
                file,
                "PRAGMA foreign_keys = OFF",
                "INSERT INTO messages (session_id, role, timestamp) VALUES ('nobody', 'user', 1)");

        try (OpenDatabase database = openings.write(file)) {
            assertThat(maintenance(database).check(this::note))
                    .containsExactly(
                            "In the database 1 rows of messages name rows of sessions that do not exist; export what is"
                                    + " readable and restore a copy.");
        }
    }

    @Test
    void compactingGivesBackWhatDeletedMessagesHeldAndKeepsTheOthersAndTheirIds() throws Exception {
        Path file = folder.resolve("state.db");
        try (OpenDatabase database = openings.write(file)) {
            try (Statement statement = database.writer().orElseThrow().createStatement()) {
                statement.execute("INSERT INTO sessions (id, source, started_at) VALUES ('s', 'cli', 1)");
                statement.execute("WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2000)"
                        + " INSERT INTO messages (session_id, role, content, timestamp)"
                        + " SELECT 's', 'user', hex(randomblob(300)), i FROM n");
                statement.execute("DELETE FROM messages WHERE id <> 1999");
            }
            SqliteMaintenance maintenance = maintenance(database);

            assertThat(maintenance.compact()).isGreaterThan(500_000);
            assertThat(Long.parseLong(maintenance.status().get("free bytes"))).isZero();
            assertThat(maintenance.check(this::note)).isEmpty();
        }
        assertThat(Sql.column(file, "SELECT id FROM messages")).containsExactly(1999);
        assertThat(Sql.column(file, "SELECT rowid FROM messages_fts")).containsExactly(1999);
    }

    private static int insert(Connection writer) throws SQLException {
        try (Statement statement = writer.createStatement()) {
            return statement.executeUpdate("INSERT INTO messages (session_id, role, content, timestamp) VALUES"
                    + " ('20260213_180000_old003', 'user', 'writtenanyway', 1)");
        }
    }

    private static SqliteMaintenance maintenance(OpenDatabase database) {
        return new SqliteMaintenance(
                database, RETRY, new IndexKeeper(database, RETRY, () -> Openings.NOW, Thread::new, warning -> {}));
    }

    private void note(long done, long total) {
        progress.add(done);
    }
}
