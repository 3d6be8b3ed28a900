package dev.parley.persistence.sqlite.schema;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.parley.application.port.StorageCorrupt;
import dev.parley.application.port.StorageUnavailable;
import dev.parley.persistence.sqlite.Fixtures;
import dev.parley.persistence.sqlite.Openings;
import dev.parley.persistence.sqlite.Sql;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;
import java.util.stream.Stream;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What is done to a file is decided by what it has, not by its version (storage 1.6 R1–R6, 1.7, 1.8). */
class StructureTest {
    @TempDir
    Path folder;

    private final Openings openings = new Openings();

    /** R1: a file at version 7 may have one of the columns of versions 7 and 8 and not the other. */
    @Test
    void columnsThatAreThereAlreadyDoNotStopTheUpgrade() throws Exception {
        Path file = Fixtures.copy("state-v1.db", folder);
        Sql.run(
                file,
                "ALTER TABLE sessions ADD COLUMN api_call_count INTEGER DEFAULT 0",
                "UPDATE sessions SET api_call_count = 3",
                "UPDATE schema_version SET version = 7");

        openings.write(file).close();

        assertThat(Sql.column(file, "SELECT api_call_count FROM sessions")).containsOnly(3);
        assertThat(Sql.column(file, "SELECT reasoning_content FROM messages")).containsOnlyNulls();
        assertThat(Sql.column(file, "SELECT version FROM schema_version")).containsExactly(11);
    }

    /** R2: the newest session keeps the title, the others get the next free number; nothing else is changed. */
    @Test
    void titlesThatStandTwiceAreToldApart() throws Exception {
        Path file = Fixtures.copy("state-v1.db", folder);
        Sql.run(
                file,
                "ALTER TABLE sessions ADD COLUMN title TEXT",
                "INSERT INTO sessions (id, source, started_at, title) VALUES ('d1', 'cli', 1, 'Same'),"
                        + " ('d2', 'cli', 5, 'Same'), ('d0', 'cli', 1, 'Same'), ('d3', 'cli', 1, 'Same #2'),"
                        + " ('e1', 'cli', 7, 'Numbered #4'), ('e2', 'cli', 7, 'Numbered #4')",
                "UPDATE schema_version SET version = 3");

        try (OpenDatabase database = openings.write(file)) {
            assertThat(database.done()).contains("Gave session d1 the title \"Same #3\": its title stood twice.");
        }

        assertThat(Sql.column(file, "SELECT id || '=' || title FROM sessions WHERE title IS NOT NULL ORDER BY id"))
                .containsExactly(
                        "d0=Same #4", "d1=Same #3", "d2=Same", "d3=Same #2", "e1=Numbered #2", "e2=Numbered #4");
    }

    /** R3: an index of the old kind is made anew whatever the version says. */
    @Test
    void anOldIndexUnderANewVersionIsRebuilt() throws Exception {
        Path file = Fixtures.copy("state-v10.db", folder);
        Sql.run(file, "UPDATE schema_version SET version = 11");

        openings.write(file).close();

        assertThat(Sql.column(file, "SELECT rowid FROM messages_fts WHERE messages_fts MATCH 'LEGACYFUNC'"))
                .containsExactly(2);
    }

    @Test
    void anOldIndexInAFileWithoutAnyVersionIsRebuilt() throws Exception {
        Path file = Fixtures.copy("state-v10.db", folder);
        Sql.run(file, "DELETE FROM schema_version");

        openings.write(file).close();

        assertThat(Sql.column(file, "SELECT version FROM schema_version")).containsExactly(11);
        assertThat(Sql.column(file, "SELECT rowid FROM messages_fts WHERE messages_fts MATCH 'LEGACYTOOL'"))
                .containsExactly(3);
    }

    static Stream<String> damagesToTheIndex() {
        return Stream.concat(
                SearchIndex.triggers().stream().map(trigger -> "DROP TRIGGER " + trigger),
                Stream.of("DROP TABLE messages_fts", "DROP TABLE messages_fts_trigram"));
    }

    /** R4: whatever of the index is missing, all of it is made anew and every message is found. */
    @ParameterizedTest
    @MethodSource("damagesToTheIndex")
    void anIndexThatIsNotWholeIsRebuilt(String damage) throws Exception {
        Path file = Fixtures.copy("state-v11.db", folder);
        Sql.run(file, damage);

        openings.write(file).close();

        assertThat(Sql.column(file, "SELECT count(*) FROM sqlite_master WHERE type = 'trigger'"))
                .containsExactly(6);
        for (String table : SearchIndex.TABLES) {
            assertThat(Sql.column(
                            file,
                            "SELECT m.id FROM messages m LEFT JOIN " + table
                                    + " f ON f.rowid = m.id WHERE f.content IS NOT " + SearchIndex.indexedText("m")))
                    .isEmpty();
            Sql.run(file, "INSERT INTO " + table + "(" + table + ") VALUES ('integrity-check')");
        }
    }

    /** R5: the first row decides, all rows are rewritten, and what is no number counts as nothing. */
    @ParameterizedTest
    @ValueSource(strings = {"5), (9", "'eleven'), (11", "'7'), (7"})
    void severalVersionsAndVersionsThatAreNoNumberAreBroughtUpToDate(String rows) throws Exception {
        Path file = Fixtures.copy("state-v9.db", folder);
        Sql.run(file, "DELETE FROM schema_version", "INSERT INTO schema_version VALUES (" + rows + ")");

        openings.write(file).close();

        assertThat(Sql.column(file, "SELECT version FROM schema_version")).containsExactly(11, 11);
    }

    /** R6: another program's file gains our tables and keeps its own. */
    @Test
    void aFileOfAnotherProgramGainsOurTablesAfterACopyWasKept() throws Exception {
        Path file = folder.resolve("notes.db");
        Sql.run(file, "CREATE TABLE notes (text)", "INSERT INTO notes VALUES ('mine')");

        openings.write(file).close();

        assertThat(Sql.column(file, "SELECT text FROM notes")).containsExactly("mine");
        assertThat(Sql.column(file, "SELECT version FROM schema_version")).containsExactly(11);
        assertThat(openings.warnings()).hasSize(1);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "CREATE TABLE sessions (id TEXT PRIMARY KEY, user TEXT)",
                "CREATE TABLE sessions (id TEXT PRIMARY KEY, source TEXT, started_at REAL)",
                "CREATE TABLE messages (id INTEGER PRIMARY KEY, body TEXT)",
                "CREATE TABLE state_meta (name TEXT)",
            })
    void aTableOfOurNameThatIsNotOursIsRefusedAndNothingIsChanged(String foreign) throws Exception {
        Path file = folder.resolve("foreign.db");
        Sql.run(file, foreign);
        String before = Fixtures.sha256(file);

        assertThatThrownBy(() -> openings.write(file))
                .isInstanceOf(StorageCorrupt.class)
                .hasMessageContaining("belongs to another program");
        assertThatThrownBy(() -> openings.read(file)).isInstanceOf(StorageCorrupt.class);

        assertThat(Fixtures.sha256(file)).isEqualTo(before);
        assertThat(folder).isDirectoryNotContaining("glob:**.db?*");
    }

    /** Storage 1.7: unknown columns and tables are kept; missing ones are added whatever the version. */
    @Test
    void unknownColumnsAndTablesAreKept() throws Exception {
        Path file = Fixtures.copy("state-v11.db", folder);
        Sql.run(
                file,
                "ALTER TABLE sessions ADD COLUMN handoff_state TEXT",
                "UPDATE sessions SET handoff_state = 'kept'",
                "CREATE TABLE telegram_dm_topic_bindings (id)",
                "ALTER TABLE messages DROP COLUMN codex_message_items");

        openings.write(file).close();

        assertThat(Sql.column(file, "SELECT DISTINCT handoff_state FROM sessions"))
                .containsExactly("kept");
        assertThat(Sql.column(file, "SELECT count(*) FROM telegram_dm_topic_bindings"))
                .containsExactly(0);
        assertThat(Sql.column(file, "SELECT DISTINCT codex_message_items FROM messages"))
                .containsOnlyNulls();
    }

    /** Storage 1.8: a newer file is used as it is, with its version left alone. */
    @Test
    void aNewerFileIsUsedAsItIsAndSaidOnce() throws Exception {
        Path file = Fixtures.copy("state-v11.db", folder);
        Sql.run(
                file,
                "UPDATE schema_version SET version = 21",
                "ALTER TABLE messages ADD COLUMN active INTEGER NOT NULL DEFAULT 1",
                "ALTER TABLE messages ADD COLUMN compacted INTEGER NOT NULL DEFAULT 0",
                "UPDATE messages SET active = 0 WHERE id = 1");

        try (OpenDatabase database = openings.write(file)) {
            assertThat(database.reads()
                            .<List<Long>>read(connection -> DSL.using(connection, SQLDialect.SQLITE)
                                    .fetch("SELECT id FROM messages WHERE active = 0")
                                    .getValues("id", Long.class)))
                    .containsExactly(1L);
        }

        assertThat(Sql.column(file, "SELECT version FROM schema_version")).containsExactly(21);
        assertThat(openings.warnings())
                .singleElement()
                .asString()
                .contains("version 21")
                .doesNotContain("\n");
    }

    /** The tables and triggers of later versions are those of version 11: what they lack is made anew there too. */
    @Test
    void theIndexOfANewerFileIsRebuiltWhereItsFormIsKnown() throws Exception {
        Path file = Fixtures.copy("state-v11.db", folder);
        Sql.run(file, "UPDATE schema_version SET version = 21", "DROP TRIGGER messages_fts_update");

        openings.write(file).close();

        assertThat(Sql.column(file, "SELECT version FROM schema_version")).containsExactly(21);
        assertThat(Sql.column(file, "SELECT count(*) FROM sqlite_master WHERE type = 'trigger'"))
                .containsExactly(6);
    }

    @Test
    void theIndexOfANewerFileIsLeftAloneWhereItsFormIsNotKnown() throws Exception {
        Path file = Fixtures.copy("state-v11.db", folder);
        Sql.run(
                file,
                "UPDATE schema_version SET version = 30",
                "DROP TABLE messages_fts",
                "CREATE VIRTUAL TABLE messages_fts USING fts5(content, summary)",
                "DROP TRIGGER messages_fts_update");

        openings.write(file).close();

        assertThat(Sql.column(file, "SELECT sql FROM sqlite_master WHERE name = 'messages_fts'"))
                .containsExactly("CREATE VIRTUAL TABLE messages_fts USING fts5(content, summary)");
        assertThat(Sql.column(file, "SELECT count(*) FROM sqlite_master WHERE type = 'trigger'"))
                .containsExactly(5);
        assertThat(openings.warnings()).singleElement().asString().contains("left alone");
    }

    @Test
    void aFileOfANewerParleyIsRefusedForWritingAndReadable() throws Exception {
        Path file = folder.resolve("state.db");
        openings.write(file).close();
        Sql.run(file, "UPDATE parley_schema SET version = 99");

        assertThatThrownBy(() -> openings.write(file))
                .isInstanceOf(StorageUnavailable.class)
                .hasMessageContaining("newer Parley");
        openings.read(file).close();
    }

    @Test
    void aDamagedOldFileIsNotUpgraded() throws Exception {
        Path file = Fixtures.copy("state-v9.db", folder);
        int root = ((Number) Sql.column(file, "SELECT rootpage FROM sqlite_master WHERE name = 'messages'")
                        .get(0))
                .intValue();
        byte[] bytes = Files.readAllBytes(file);
        java.util.Arrays.fill(bytes, (root - 1) * 4096 + 8, (root - 1) * 4096 + 4096, (byte) 0x5a);
        Files.write(file, bytes);
        String before = Fixtures.sha256(file);

        assertThatThrownBy(() -> openings.write(file)).isInstanceOf(StorageCorrupt.class);

        assertThat(Fixtures.sha256(file)).isEqualTo(before);
        assertThat(folder).isDirectoryNotContaining("glob:**.backup*");
    }

    @Test
    void aFolderIsNoDatabase() {
        assertThatThrownBy(() -> openings.write(folder))
                .isInstanceOf(StorageUnavailable.class)
                .hasMessageContaining("is a folder");
        assertThatThrownBy(() -> openings.read(folder)).isInstanceOf(StorageUnavailable.class);
    }

    @Test
    void aPathBelowAFileIsRefused() throws Exception {
        Path plain = Files.writeString(folder.resolve("plain"), "text");

        assertThatThrownBy(() -> openings.write(plain.resolve("state.db"))).isInstanceOf(StorageUnavailable.class);
        assertThatThrownBy(() -> openings.read(plain.resolve("state.db"))).isInstanceOf(StorageUnavailable.class);
        assertThat(plain).hasContent("text");
    }

    @Test
    void readingAFileThatDoesNotExistIsAnErrorAndMakesNone() {
        Path file = folder.resolve("none.db");

        assertThatThrownBy(() -> openings.read(file))
                .isInstanceOf(StorageUnavailable.class)
                .hasMessageContaining("does not exist");
        assertThat(file).doesNotExist();
    }

    @ParameterizedTest
    @ValueSource(strings = {"a?b#c%20.db", "with space & 日本.db"})
    void aPathMayHoldAnyCharacter(String name) throws SQLException {
        Path file = folder.resolve(name);

        openings.write(file).close();

        assertThat(file).exists();
        openings.read(file).close();
    }

    /** Storage 1.8: while nobody has the file open for writing it is read without a file beside it, then with the writer's log. */
    @Test
    void aReaderSeesWhatAWriterThatCameLaterCommits() throws Exception {
        Path file = folder.resolve("state.db");
        openings.write(file).close();

        try (OpenDatabase reader = openings.read(file)) {
            assertThat(count(reader)).isZero();
            assertThat(folder).isDirectoryNotContaining("glob:**-wal");
            try (OpenDatabase writer = openings.write(file)) {
                try (var statement = writer.writer().orElseThrow().createStatement()) {
                    statement.execute("INSERT INTO sessions (id, source, started_at) VALUES ('s', 'cli', 1)");
                }
                assertThat(count(reader)).isEqualTo(1);
            }
        }
    }

    @Test
    void aReaderSeesSoftDeletionBeginInAnotherConnection() throws Exception {
        Path file = Fixtures.copy("state-v11.db", folder);
        try (OpenDatabase database = openings.write(file)) {
            assertThat(active(database)).isEqualTo(60);

            var writer = database.writer().orElseThrow();
            SoftDelete.prepare(writer);
            SoftDelete.prepare(writer);
            try (var statement = writer.createStatement()) {
                statement.execute("UPDATE messages SET active = 0 WHERE id < 11");
            }

            assertThat(SoftDelete.isPossible(writer)).isTrue();
            assertThat(active(database)).isEqualTo(50);
        }
    }

    private static long count(OpenDatabase database) {
        return database.reads().read(connection -> (long) DSL.using(connection, SQLDialect.SQLITE)
                .fetch("SELECT id FROM sessions")
                .size());
    }

    private static long active(OpenDatabase database) {
        return database.reads().read(connection -> (long) DSL.using(connection, SQLDialect.SQLITE)
                .fetch("SELECT id FROM messages WHERE active = 1")
                .size());
    }
}
