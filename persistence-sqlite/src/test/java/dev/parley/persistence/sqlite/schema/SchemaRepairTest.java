package dev.parley.persistence.sqlite.schema;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.parley.application.port.StorageCorrupt;
import dev.parley.application.spi.Storage;
import dev.parley.application.spi.StorageSettings.Mode;
import dev.parley.persistence.sqlite.Fixtures;
import dev.parley.persistence.sqlite.Sql;
import dev.parley.persistence.sqlite.Stores;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A list of tables that SQLite cannot read is repaired by an upgrade, after a copy was kept, and by nothing else. */
class SchemaRepairTest {
    private static final String TWICE =
            "INSERT INTO sqlite_master(type, name, tbl_name, rootpage, sql) SELECT type, name, tbl_name, rootpage, sql FROM"
                    + " sqlite_master WHERE name = ";

    @TempDir
    Path folder;

    @ParameterizedTest
    @ValueSource(
            strings = {
                TWICE + "'messages_fts'",
                TWICE + "'messages'",
                TWICE + "'idx_messages_session'",
                TWICE + "'messages_fts_insert'",
                "UPDATE sqlite_master SET sql = 'CREATE VIRTUAL TABEL' WHERE name = 'messages_fts'",
                "UPDATE sqlite_master SET sql = 'CREATE TABLE messages_fts_data(' WHERE name = 'messages_fts_data'",
                "UPDATE sqlite_master SET sql = 'CREATE TRIGGER messages_fts_insert' WHERE name = 'messages_fts_insert'",
            })
    void anUpgradeRepairsTheListOfTables(String damage) throws Exception {
        Path file = Fixtures.copy("state-v11.db", folder);
        Stores.write(file).close();
        List<?> messages = Sql.rows(file, "SELECT * FROM messages ORDER BY id");
        Sql.run(file, "PRAGMA writable_schema = ON", damage);

        assertThatThrownBy(() -> Stores.write(file))
                .isInstanceOf(StorageCorrupt.class)
                .hasMessageContaining("parley storage upgrade");

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
