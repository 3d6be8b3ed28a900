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
        assertThat(Sql.column(file, "SELECT version FROM parley_schema")).containsExactly(1);
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
                "INSERT INTO messages (session_id, role, tool_name, tool_calls, timestamp) VALUES ('s', 'tool', 'TN', 'TC', 2)",
                "UPDATE messages SET content = 'other' WHERE id = 1");

        assertThat(Sql.column(file, "SELECT content FROM messages_fts ORDER BY rowid"))
                .containsExactly("other  ", " TN TC");
        assertThat(Sql.column(file, "SELECT content FROM messages_fts_trigram ORDER BY rowid"))
                .containsExactly("other  ", " TN TC");
    }
}
