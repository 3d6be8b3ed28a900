package dev.parley.bootstrap.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.bootstrap.cli.CommandLineProgram.Result;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What {@code storage check} finds, {@code storage upgrade} repairs, on files of every version; the exit codes say which is which. */
class StorageUpgradeCommandTest {
    private static final String TWICE =
            "INSERT INTO sqlite_master(type, name, tbl_name, rootpage, sql) SELECT type, name, tbl_name, rootpage, sql FROM"
                    + " sqlite_master WHERE name = ";

    @TempDir
    Path directory;

    private Path database;
    private CommandLineProgram program;

    @BeforeEach
    void aDatabase() throws Exception {
        database = CommandLineProgram.fixture("state-v11.db", directory);
        program = new CommandLineProgram(directory.resolve("home"));
    }

    static Stream<Arguments> damages() {
        return Stream.of(
                        "DELETE FROM messages_fts_content WHERE id = 1",
                        "DELETE FROM messages_fts_docsize WHERE id = 1",
                        "DROP TRIGGER messages_fts_trigram_update",
                        "DROP TABLE messages_fts_trigram",
                        "UPDATE messages_fts_data SET block = CASE WHEN id = 10 THEN x'ffff' ELSE x'0000' END WHERE id >= 10")
                .flatMap(damage -> Stream.of(Arguments.of(11, damage), Arguments.of(21, damage)));
    }

    @ParameterizedTest
    @MethodSource("damages")
    void whatACheckFindsAnUpgradeRepairs(int version, String damage) throws Exception {
        assertThat(storage("upgrade").code()).isZero();
        String messages = messages();
        run("UPDATE schema_version SET version = " + version, damage);

        Result found = storage("check");
        Result repaired = storage("upgrade");
        Result afterwards = storage("check");

        assertThat(found.code()).isEqualTo(1);
        assertThat(found.out()).contains("parley storage upgrade");
        assertThat(repaired.code()).as(repaired.out()).isZero();
        assertThat(repaired.out()).contains("Rebuilt the search index");
        assertThat(afterwards.code()).as(afterwards.out()).isZero();
        assertThat(program.run("sessions", "--db", database.toString(), "search", "docker")
                        .out())
                .contains("docker");
        assertThat(messages()).isEqualTo(messages);
    }

    @Test
    void aTableThatStandsTwiceIsRepairedAfterACopyWasKept() throws Exception {
        assertThat(storage("upgrade").code()).isZero();
        run("PRAGMA writable_schema = ON", TWICE + "'messages'");

        Result refused = program.run("sessions", "--db", database.toString(), "export");
        Result repaired = storage("upgrade");

        assertThat(refused.code()).isEqualTo(4);
        assertThat(refused.err()).contains("parley storage upgrade");
        assertThat(repaired.code()).as(repaired.err()).isZero();
        assertThat(repaired.lines()).first().asString().startsWith("Kept a copy of the database as it was");
        assertThat(storage("check").code()).isZero();
    }

    @Test
    void whatCannotBeRepairedHasOtherAdviceAndIsNoSuccess() throws Exception {
        assertThat(storage("upgrade").code()).isZero();
        run(
                "PRAGMA writable_schema = ON",
                "UPDATE sqlite_master SET sql = 'CREATE TABLE messages(' WHERE name = 'messages'");

        Result refused = storage("upgrade");

        assertThat(refused.code()).isEqualTo(4);
        assertThat(refused.err()).contains("restore a copy").doesNotContain("\"parley storage upgrade\"");
    }

    @Test
    void anIndexOfAFormThatIsNotKnownIsLeftAloneAndNoSuccess() throws Exception {
        run(
                "UPDATE schema_version SET version = 30",
                "DROP TABLE messages_fts",
                "CREATE VIRTUAL TABLE messages_fts USING fts5(content, tokenize='porter unicode61')");

        Result upgraded = storage("upgrade");

        assertThat(upgraded.code()).isEqualTo(1);
        assertThat(upgraded.out()).contains("let the software that made it").doesNotContain("storage upgrade");
    }

    private Result storage(String command) {
        return program.run("storage", "--db", database.toString(), command);
    }

    private String messages() throws SQLException {
        StringBuilder all = new StringBuilder();
        try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + database);
                Statement statement = connection.createStatement();
                ResultSet rows =
                        statement.executeQuery("SELECT id, session_id, role, content FROM messages ORDER BY id")) {
            while (rows.next()) {
                all.append(rows.getString(1))
                        .append(rows.getString(2))
                        .append(rows.getString(3))
                        .append(rows.getString(4));
            }
        }
        return all.toString();
    }

    private void run(String... statements) throws SQLException {
        try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + database);
                Statement statement = connection.createStatement()) {
            for (String each : statements) {
                statement.execute(each);
            }
        }
    }
}
