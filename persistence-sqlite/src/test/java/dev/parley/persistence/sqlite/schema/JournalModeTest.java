package dev.parley.persistence.sqlite.schema;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.persistence.sqlite.Openings;
import dev.parley.persistence.sqlite.Sql;
import dev.parley.persistence.sqlite.connection.BusyRetry;
import dev.parley.persistence.sqlite.connection.DatabaseFile;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Write-ahead logging, and doing without where a file system cannot (storage 2). */
class JournalModeTest {
    private static final BusyRetry RETRY = new BusyRetry(new Openings.CountedIds(), BusyRetry.Pause.parked());

    @TempDir
    Path folder;

    private final List<String> warnings = new ArrayList<>();

    @ParameterizedTest
    @CsvSource({
        "'[SQLITE_PROTOCOL] Locking protocol', true",
        "'not authorized', true",
        "'[SQLITE_IOERR] disk I/O error', true",
        "'database is locked', false",
        "'database disk image is malformed', false",
    })
    void onlyWhatAFileSystemCannotDoIsPutUpWith(String message, boolean unsupported) {
        assertThat(JournalMode.isUnsupported(new SQLException(message))).isEqualTo(unsupported);
    }

    /** storage 2: SQLite may answer with another mode and raise nothing, as it does for a database that has no file. */
    @Test
    void aModeThatWasNotTakenIsSeenByWhatThePragmaReturnsAndSaidOnce() throws SQLException {
        DatabaseFile file = new DatabaseFile(folder.resolve("no-log-here.db"));
        try (Connection connection = Sql.connect(Path.of(":memory:"))) {
            JournalMode.prepare(connection, file, RETRY, warnings::add);
            JournalMode.prepare(connection, file, RETRY, warnings::add);
        }

        assertThat(warnings)
                .singleElement()
                .asString()
                .contains("no-log-here.db")
                .doesNotContain("\n");
    }

    @Test
    void aFileInRollbackJournalModeIsPutIntoWriteAheadLogging() throws SQLException {
        Path file = folder.resolve("state.db");
        Sql.run(file, "PRAGMA journal_mode = DELETE", "CREATE TABLE other (x)");

        new Openings().write(file).close();

        assertThat(Sql.column(file, "PRAGMA journal_mode")).containsExactly("wal");
    }

    @Test
    void theSettingsOfAConnectionAreThoseOfTheSpecification() throws SQLException {
        try (OpenDatabase database = new Openings().write(folder.resolve("state.db"))) {
            Connection writer = database.writer().orElseThrow();
            assertThat(Sql.rows(writer, "PRAGMA busy_timeout").get(0).values()).containsExactly(1000);
            assertThat(Sql.rows(writer, "PRAGMA foreign_keys").get(0).values()).containsExactly(1);
            assertThat(Sql.rows(writer, "PRAGMA synchronous").get(0).values()).containsExactly(2);
            assertThat(Sql.rows(writer, "PRAGMA user_version").get(0).values()).containsExactly(0);
            assertThat(Sql.rows(writer, "PRAGMA application_id").get(0).values())
                    .containsExactly(0);
            assertThat(writer.getAutoCommit()).isTrue();
        }
    }
}
