package dev.parley.persistence.sqlite.schema;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import dev.parley.application.port.StorageCorrupt;
import dev.parley.persistence.sqlite.Fixtures;
import dev.parley.persistence.sqlite.Openings;
import dev.parley.persistence.sqlite.Sql;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Files of other versions, before and after they are opened, against the recorded answers (storage 1.5–1.8, 8). */
class FixtureUpgradeTest {
    @TempDir
    Path folder;

    private final Openings openings = new Openings();

    @ParameterizedTest
    @ValueSource(strings = {"state-v1.db", "state-v9.db", "state-v10.db"})
    void theFixtureIsTheOneTheAnswersWereMadeWith(String name) throws Exception {
        Path file = Fixtures.copy(name, folder);

        assertThat(Fixtures.sha256(file))
                .isEqualTo(Fixtures.expected("_meta")
                        .required("sha256")
                        .required(name)
                        .textValue());
        assertContent(file, Fixtures.expected(name).required("raw_before"));
    }

    /** Tables and indexes at least those recorded; columns, triggers and rows exactly, after one message more. */
    @ParameterizedTest
    @ValueSource(strings = {"state-v1.db", "state-v9.db", "state-v10.db"})
    void anOldFileIsUpgradedAndItsRowsAreNotTouched(String name) throws Exception {
        Path file = Fixtures.copy(name, folder);
        JsonNode answers = Fixtures.expected(name);

        openings.write(file).close();

        assertThat(numbers(file, "SELECT rowid FROM messages_fts ORDER BY rowid"))
                .isEqualTo(numbers(answers.required("fts_rowids_after")));
        assertThat(numbers(file, "SELECT rowid FROM messages_fts_trigram ORDER BY rowid"))
                .isEqualTo(numbers(answers.required("fts_trigram_rowids_after")));
        JsonNode messages = answers.required("raw_after").required("messages");
        Sql.run(
                file,
                "INSERT INTO messages (session_id, role, content, timestamp) VALUES"
                        + " ('20260213_180000_old003', 'user', 'appended after migration', "
                        + messages.required(messages.size() - 1)
                                .required("timestamp")
                                .doubleValue()
                        + ")",
                "UPDATE sessions SET message_count = message_count + 1 WHERE id = '20260213_180000_old003'");
        assertStructure(file, answers.required("raw_after"));
        assertContent(file, answers.required("raw_after"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"state-v1.db", "state-v9.db", "state-v10.db"})
    void aMessageIdThatWasUsedOnceIsNeverUsedAgain(String name) throws Exception {
        Path file = Fixtures.copy(name, folder);
        openings.write(file).close();

        Sql.run(
                file,
                "INSERT INTO messages (session_id, role, content, timestamp) VALUES ('20260213_180000_old003', 'user', 'n', 1)");

        assertThat(numbers(file, "SELECT max(id) FROM messages"))
                .containsExactly(
                        Fixtures.expected(name).required("next_message_id").longValue());
    }

    @ParameterizedTest
    @ValueSource(strings = {"state-v1.db", "state-v9.db", "state-v10.db", "state-v11.db"})
    void aSecondOpeningChangesNothing(String name) throws Exception {
        Path file = Fixtures.copy(name, folder);
        openings.write(file).close();
        String before = Fixtures.sha256(file);

        try (OpenDatabase again = openings.write(file)) {
            assertThat(again.done()).isEmpty();
        }

        assertThat(Fixtures.sha256(file)).isEqualTo(before);
    }

    /** The words of the old index before, by its own tables; the same file read by an opening that changes nothing. */
    @ParameterizedTest
    @ValueSource(strings = {"state-v1.db", "state-v9.db", "state-v10.db"})
    void openingForReadingLeavesTheFileAsItIs(String name) {
        Path file = Fixtures.copy(name, folder);
        String before = Fixtures.sha256(file);

        try (OpenDatabase database = openings.read(file)) {
            List<Long> active = database.reads()
                    .read(connection -> DSL.using(connection, SQLDialect.SQLITE)
                            .fetch("SELECT active, compacted, codex_message_items FROM messages")
                            .getValues("active", Long.class));
            List<Long> lanes = database.reads()
                    .read(connection -> DSL.using(connection, SQLDialect.SQLITE)
                            .fetch("SELECT epoch FROM parley_lanes WHERE lane = ?", "x")
                            .getValues("epoch", Long.class));
            assertThat(active).isNotEmpty().containsOnly(1L);
            assertThat(lanes).isEmpty();
        }

        assertThat(Fixtures.sha256(file)).isEqualTo(before);
        assertThat(folder).isDirectoryNotContaining("glob:**-{wal,shm}");
    }

    @ParameterizedTest
    @CsvSource({"docker", "LEGACYFUNC", "LEGACYTOOL", "legacy", "zzdel"})
    void theOldIndexFindsWhatWasRecordedBeforeTheUpgrade(String word) throws Exception {
        for (String name : List.of("state-v1.db", "state-v9.db", "state-v10.db")) {
            Path file = Fixtures.copy(name, Files.createTempDirectory(folder, "f"));

            assertThat(numbers(
                            file,
                            "SELECT rowid FROM messages_fts WHERE messages_fts MATCH '" + word + "' ORDER BY rowid"))
                    .isEqualTo(numbers(
                            Fixtures.expected(name).required("fts_before").required(word)));
        }
    }

    @Test
    void theFileOfVersion11IsReadAsRecordedAndOnlyGainsParleysTables() throws Exception {
        Path file = Fixtures.copy("state-v11.db", folder);
        JsonNode raw = Fixtures.expected("state-v11.db").required("raw");

        openings.write(file).close();

        assertStructure(file, raw);
        assertContent(file, raw);
        assertThat(Sql.column(
                        file,
                        "SELECT name FROM sqlite_master WHERE name NOT LIKE 'parley%' AND name NOT LIKE 'sqlite%'"
                                + " AND name NOT LIKE 'messages_fts%' AND type = 'table' ORDER BY name"))
                .containsExactly("messages", "schema_version", "sessions", "state_meta");
        assertThat(openings.warnings())
                .as("no backup where nothing is upgraded")
                .isEmpty();
        Map<String, @Nullable Object> meta = new LinkedHashMap<>();
        for (Map<String, @Nullable Object> row : Sql.rows(file, "SELECT key, value FROM state_meta")) {
            meta.put((String) row.get("key"), row.get("value"));
        }
        assertThat(meta).isEqualTo(row(raw.required("state_meta")));
    }

    /** The copy has the old version and opens by itself. */
    @Test
    void aFileParleyDidNotMakeIsCopiedBeforeItsFirstUpgradeAndThePathIsSaid() throws Exception {
        Path file = Fixtures.copy("state-v9.db", folder);

        try (OpenDatabase database = openings.write(file)) {
            assertThat(database.done())
                    .anyMatch(line -> line.startsWith("Kept a copy"))
                    .contains("Brought the schema from version 9 to 11.", "Rebuilt the search index over 6 messages.");
        }

        Path copy = folder.resolve("state-v9.db.backup-20260310-040000");
        assertThat(openings.warnings()).singleElement().asString().contains(copy.toString());
        assertContent(copy, Fixtures.expected("state-v9.db").required("raw_before"));
        assertThat(Sql.column(copy, "PRAGMA integrity_check")).containsExactly("ok");
    }

    @ParameterizedTest
    @ValueSource(strings = {"not-a-database.db", "truncated-v11.db"})
    void aDamagedOrForeignFileIsRefusedAndLeftByteForByte(String name) throws Exception {
        Path file = Fixtures.copy(name, folder);
        String before = Fixtures.sha256(file);

        assertThatThrownBy(() -> openings.write(file))
                .isInstanceOf(StorageCorrupt.class)
                .hasMessageContaining(file.toString())
                .hasMessageNotContaining("\n");
        assertThatThrownBy(() -> openings.read(file)).isInstanceOf(StorageCorrupt.class);

        assertThat(Fixtures.sha256(file)).isEqualTo(before);
        assertThat(listing()).containsExactly(name);
    }

    @Test
    void aFileWithoutAByteBecomesANewDatabase() throws Exception {
        Path file = Fixtures.copy("empty.db", folder);

        openings.write(file).close();

        assertThat(Sql.column(file, "SELECT version FROM schema_version")).containsExactly(11);
        assertThat(Sql.column(file, "SELECT count(*) FROM sessions")).containsExactly(0);
        assertThat(openings.warnings()).isEmpty();
    }

    private List<String> listing() throws Exception {
        try (Stream<Path> files = Files.list(folder)) {
            return files.map(file -> file.getFileName().toString()).toList();
        }
    }

    private static void assertStructure(Path file, JsonNode recorded) throws Exception {
        assertThat(names(file, "table")).containsAll(texts(recorded.required("tables")));
        assertThat(names(file, "index")).containsAll(texts(recorded.required("indexes")));
        assertThat(names(file, "trigger")).isEqualTo(new HashSet<>(texts(recorded.required("triggers"))));
        for (String table : List.of("sessions", "messages")) {
            assertThat(Sql.column(file, "SELECT name FROM pragma_table_info('" + table + "')"))
                    .containsExactlyInAnyOrderElementsOf(
                            texts(recorded.required("columns").required(table)));
        }
    }

    private static void assertContent(Path file, JsonNode recorded) throws Exception {
        assertRows(file, "sessions", recorded.required("sessions"));
        assertRows(file, "messages", recorded.required("messages"));
        assertThat(numbers(file, "SELECT version FROM schema_version"))
                .isEqualTo(numbers(recorded.required("schema_version_rows")));
    }

    private static void assertRows(Path file, String table, JsonNode recorded) throws Exception {
        List<Map<String, @Nullable Object>> expected = new ArrayList<>();
        recorded.forEach(node -> expected.add(row(node)));
        assertThat(normalized(Sql.rows(file, "SELECT * FROM " + table + " ORDER BY id")))
                .containsExactlyInAnyOrderElementsOf(expected);
    }

    /** Numbers as doubles, so that columns and JSON compare. */
    private static List<Map<String, @Nullable Object>> normalized(List<Map<String, @Nullable Object>> rows) {
        List<Map<String, @Nullable Object>> all = new ArrayList<>();
        for (Map<String, @Nullable Object> row : rows) {
            Map<String, @Nullable Object> one = new LinkedHashMap<>();
            row.forEach((name, value) ->
                    one.put(name, value instanceof Number number ? (Object) number.doubleValue() : value));
            all.add(one);
        }
        return all;
    }

    private static Map<String, @Nullable Object> row(JsonNode node) {
        Map<String, @Nullable Object> row = new LinkedHashMap<>();
        node.properties().forEach(field -> {
            JsonNode value = field.getValue();
            row.put(
                    field.getKey(),
                    value.isNull() ? null : value.isNumber() ? (Object) value.doubleValue() : value.textValue());
        });
        return row;
    }

    private static Set<String> names(Path file, String type) throws Exception {
        Set<String> names = new HashSet<>();
        Sql.column(file, "SELECT name FROM sqlite_master WHERE type = '" + type + "'")
                .forEach(name -> names.add(String.valueOf(name)));
        return names;
    }

    private static List<Long> numbers(Path file, String query) throws Exception {
        return Sql.column(file, query).stream()
                .map(value -> Long.valueOf(String.valueOf(value)))
                .toList();
    }

    private static List<Long> numbers(JsonNode list) {
        List<Long> numbers = new ArrayList<>();
        list.forEach(number -> numbers.add(number.longValue()));
        return numbers;
    }

    private static List<String> texts(JsonNode list) {
        List<String> texts = new ArrayList<>();
        list.forEach(text -> texts.add(text.textValue()));
        return texts;
    }
}
