package dev.parley.persistence.sqlite.maintenance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.persistence.sqlite.Openings;
import dev.parley.persistence.sqlite.Sql;
import dev.parley.persistence.sqlite.schema.OpenDatabase;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The steps of a check, between which others write. */
class StorageCheckTest {
    private static final int MESSAGES = 300;
    private static final int ROWS = 10;

    @TempDir
    Path folder;

    private final Openings openings = new Openings();
    private Path file;

    @BeforeEach
    void fill() throws SQLException {
        file = folder.resolve("state.db");
        openings.write(file).close();
        Sql.run(
                file,
                "INSERT INTO sessions (id, source, started_at) VALUES ('s', 'cli', 1)",
                "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < " + MESSAGES + ")"
                        + " INSERT INTO messages (session_id, role, content, timestamp)"
                        + " SELECT 's', 'user', 'word' || i || ' 大别山项目 and \"quoted\" words', i FROM n");
    }

    @Test
    void betweenTwoStepsTheWholeLogCanBeMovedIntoTheFileWhileOthersWrite() throws SQLException {
        List<Long> moved = new ArrayList<>();
        try (OpenDatabase database = openings.read(file);
                Connection other = Sql.connect(file);
                Statement statement = other.createStatement()) {
            List<String> findings = new StorageCheck(database, ROWS, (done, total) -> {
                        try {
                            statement.execute("INSERT INTO messages (session_id, role, content, timestamp)"
                                    + " VALUES ('s', 'user', 'said meanwhile 大别山', 2)");
                            moved.add(inTheWay(statement));
                        } catch (SQLException e) {
                            throw new AssertionError(e);
                        }
                    })
                    .findings();

            assertThat(findings).isEmpty();
        }
        assertThat(moved).hasSizeGreaterThan(2 * MESSAGES / ROWS).containsOnly(0L);
    }

    @Test
    void noStepComparesMoreMessagesThanItMay() throws SQLException {
        Sql.run(file, "DELETE FROM messages_fts_docsize WHERE id % 7 = 0");
        List<Long> steps = new ArrayList<>();
        try (OpenDatabase database = openings.read(file)) {
            assertThat(new StorageCheck(database, ROWS, (done, total) -> steps.add(done)).findings())
                    .anyMatch(line ->
                            line.contains("messages_fts differs from the messages in " + MESSAGES / 7 + " rows"));
        }
        assertThat(steps).isSorted().hasSizeGreaterThan(2 * MESSAGES / ROWS);
    }

    @Test
    void aTermThatIsMissingOfOneLateMessageIsFound() throws SQLException {
        Sql.run(
                file,
                "INSERT INTO messages_fts(messages_fts, rowid, content) SELECT 'delete', id, 'quoted' FROM messages"
                        + " WHERE id = 250");
        try (OpenDatabase database = openings.read(file)) {
            assertThat(new StorageCheck(database, ROWS, (done, total) -> {}).findings())
                    .isNotEmpty()
                    .allMatch(line -> line.contains("parley storage upgrade"));
        }
    }

    @Test
    void pagesThatBelongToNothingAreToldWithWhatGivesThemBack() throws SQLException {
        Sql.run(
                file,
                "CREATE TABLE beside (a)",
                "INSERT INTO beside VALUES (zeroblob(100000))",
                "PRAGMA writable_schema = ON",
                "DELETE FROM sqlite_master WHERE name = 'beside'");
        try (OpenDatabase database = openings.read(file)) {
            assertThat(new StorageCheck(database, ROWS, (done, total) -> {}).findings())
                    .singleElement()
                    .asString()
                    .matches("2\\d pages of the database belong to nothing; run \"parley storage vacuum\" .*");
        }
    }

    @Test
    void aPageThatIsUsedAndCalledFreeIsDamage() throws Exception {
        Sql.run(
                file,
                "CREATE TABLE beside (a)",
                "INSERT INTO beside VALUES (zeroblob(100000))",
                "DROP TABLE beside",
                "PRAGMA wal_checkpoint(TRUNCATE)");
        int used = ((Number) Sql.column(file, "SELECT rootpage FROM sqlite_master WHERE name = 'messages'")
                        .get(0))
                .intValue();
        nameAsFree(file, used);
        try (OpenDatabase database = openings.read(file)) {
            assertThat(new StorageCheck(database, ROWS, (done, total) -> {}).findings())
                    .singleElement()
                    .asString()
                    .contains("its list of free pages names page " + used)
                    .endsWith("restore a copy.");
        }
    }

    private static long inTheWay(Statement statement) throws SQLException {
        try (ResultSet row = statement.executeQuery("PRAGMA wal_checkpoint(TRUNCATE)")) {
            return row.getLong(1);
        }
    }

    /** Puts a page into the place of the first leaf in the list of free pages, behind SQLite's back. */
    private static void nameAsFree(Path file, int page) throws IOException {
        ByteBuffer bytes = ByteBuffer.wrap(Files.readAllBytes(file));
        int trunk = bytes.getInt(32);
        bytes.putInt((trunk - 1) * 4096 + 8, page);
        Files.write(file, bytes.array());
    }
}
