package dev.parley.persistence.sqlite;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.persistence.sql.statement.Renderer;
import dev.parley.persistence.sqlite.read.Reader;
import dev.parley.persistence.sqlite.read.SqliteMeta;
import dev.parley.persistence.sqlite.schema.OpenDatabase;
import java.nio.file.Path;
import org.jooq.SQLDialect;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A read of one table, which looks at no schema, notices all the same when others change it. */
class SingleTableReadTest {
    private static final String TABLE = "CREATE TABLE state_meta (key TEXT PRIMARY KEY, value TEXT)";

    @TempDir
    Path folder;

    private Path file = Path.of("");

    @BeforeEach
    void name() {
        file = folder.resolve("state.db");
    }

    @Test
    void aTableThatAppearsBetweenTwoReadsIsRead() throws Exception {
        try (OpenDatabase database = new Openings().write(file)) {
            Sql.run(file, "DROP TABLE state_meta");
            SqliteMeta meta = new SqliteMeta(new Reader(database.reads(), new Renderer(SQLDialect.SQLITE)));
            assertThat(meta.get("k")).isEmpty();

            Sql.run(file, TABLE, "INSERT INTO state_meta VALUES ('k', 'new')");

            assertThat(meta.get("k")).contains("new");
        }
    }

    @Test
    void aTableThatGoesBetweenTwoReadsReadsAsEmpty() throws Exception {
        try (OpenDatabase database = new Openings().write(file)) {
            Sql.run(file, "INSERT INTO state_meta VALUES ('k', 'old')");
            SqliteMeta meta = new SqliteMeta(new Reader(database.reads(), new Renderer(SQLDialect.SQLITE)));
            assertThat(meta.get("k")).contains("old");

            Sql.run(file, "DROP TABLE state_meta");
            assertThat(meta.get("k")).isEmpty();

            Sql.run(file, TABLE, "INSERT INTO state_meta VALUES ('k', 'again')");
            assertThat(meta.get("k")).contains("again");
        }
    }

    @Test
    void whatAnotherProcessCommitsIsReadAtOnce() throws Exception {
        try (OpenDatabase database = new Openings().write(file)) {
            SqliteMeta meta = new SqliteMeta(new Reader(database.reads(), new Renderer(SQLDialect.SQLITE)));
            assertThat(meta.get("k")).isEmpty();

            Sql.run(file, "INSERT INTO state_meta VALUES ('k', 'v')");

            assertThat(meta.get("k")).contains("v");
        }
    }
}
