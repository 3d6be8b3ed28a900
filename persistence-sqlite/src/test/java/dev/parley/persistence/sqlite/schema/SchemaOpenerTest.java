package dev.parley.persistence.sqlite.schema;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.persistence.sqlite.Openings;
import dev.parley.persistence.sqlite.Sql;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Opening files that are new, and what an opening leaves (storage 1.1–1.5). */
class SchemaOpenerTest {
    @TempDir
    Path folder;

    private final Openings openings = new Openings();

    @Test
    void aFileThatDoesNotExistBecomesSchema11WithParleysTables() throws Exception {
        Path file = folder.resolve("deep/er/state.db");

        openings.write(file).close();

        assertThat(Sql.column(file, "SELECT version FROM schema_version")).containsExactly(11);
        assertThat(Sql.column(file, "SELECT version FROM parley_schema")).containsExactly(2);
        assertThat(Sql.column(file, "PRAGMA journal_mode")).containsExactly("wal");
        assertThat(Sql.column(file, "SELECT name FROM sqlite_master WHERE type = 'trigger' ORDER BY name"))
                .containsExactlyElementsOf(
                        SearchIndex.triggers().stream().sorted().toList());
        assertThat(openings.warnings()).isEmpty();
    }

    @Test
    void anInsertedMessageIsIndexedInBothTablesWithToolNameAndCalls() throws Exception {
        Path file = folder.resolve("state.db");
        openings.write(file).close();

        Sql.run(
                file,
                "INSERT INTO sessions (id, source, started_at) VALUES ('s', 'cli', 1)",
                "INSERT INTO messages (session_id, role, content, timestamp) VALUES ('s', 'user', 'héllo', 1)",
                "INSERT INTO messages (session_id, role, tool_name, tool_calls, timestamp) VALUES ('s', 'tool', 'TN', '大别山', 2)",
                "UPDATE messages SET content = 'other' WHERE id = 1");

        assertThat(Sql.column(file, "SELECT content FROM messages_fts ORDER BY rowid"))
                .containsExactly("other  ", " TN 大别山");
        assertThat(Sql.column(file, "SELECT rowid FROM messages_fts WHERE messages_fts MATCH 'other OR tn'"))
                .containsExactly(1, 2);
        assertThat(Sql.column(file, "SELECT rowid FROM messages_fts WHERE messages_fts MATCH 'hello'"))
                .isEmpty();
    }

    /** Nothing but Chinese, Japanese and Korean is looked up in the index of substrings, so nothing else stands in it. */
    @Test
    void theIndexOfSubstringsOfANewFileHasTheMessagesThatAreLookedUpInIt() throws Exception {
        Path file = folder.resolve("state.db");
        openings.write(file).close();

        Sql.run(
                file,
                "INSERT INTO sessions (id, source, started_at) VALUES ('s', 'cli', 1)",
                "INSERT INTO messages (session_id, role, content, timestamp) VALUES ('s', 'user', 'plain words', 1),"
                        + " ('s', 'user', 'the 大别山 plan', 2), ('s', 'user', 'späti 🚀', 3),"
                        + " ('s', 'user', char(0) || 'json:\"漓江水\"', 4), ('s', 'user', '大别山', 5), ('s', 'user', 'later', 6)",
                "UPDATE messages SET content = 'no more' WHERE id = 5",
                "UPDATE messages SET content = 'now 大别山' WHERE id = 6",
                "DELETE FROM messages WHERE id = 1");

        assertThat(Sql.column(file, "SELECT id FROM messages_fts_trigram_docsize"))
                .containsExactly(2, 4, 6);
        assertThat(Sql.column(
                        file, "SELECT rowid FROM messages_fts_trigram WHERE messages_fts_trigram MATCH '\"大别山\"'"))
                .containsExactly(2, 6);
        for (String table : SearchIndex.TABLES) {
            Sql.run(file, "INSERT INTO " + table + "(" + table + ", rank) VALUES ('integrity-check', 1)");
        }
    }
}
