package dev.parley.persistence.sqlite.connection;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.application.port.ParleyException;
import dev.parley.application.port.StorageCorrupt;
import dev.parley.application.port.StorageUnavailable;
import java.nio.file.Path;
import java.sql.SQLException;
import org.jooq.exception.DataAccessException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.sqlite.SQLiteErrorCode;
import org.sqlite.SQLiteException;

/** What the errors of SQLite mean to a caller. */
class SqlErrorsTest {
    private static final DatabaseFile FILE = new DatabaseFile(Path.of("/home/p/state.db"));

    @ParameterizedTest
    @CsvSource({
        "SQLITE_BUSY, false, is locked by another process",
        "SQLITE_BUSY_SNAPSHOT, false, is locked by another process",
        "SQLITE_LOCKED, false, is locked by another process",
        "SQLITE_READONLY, false, cannot be written",
        "SQLITE_READONLY_DBMOVED, false, cannot be written",
        "SQLITE_FULL, false, the disk is full",
        "SQLITE_IOERR_WRITE, false, check the disk",
        "SQLITE_CANTOPEN, false, cannot be opened",
        "SQLITE_CORRUPT, true, is damaged",
        "SQLITE_CORRUPT_VTAB, true, parley storage upgrade",
        "SQLITE_NOTADB, true, is not a SQLite database",
        "SQLITE_ERROR, false, refused an operation (some detail)",
    })
    void anErrorIsOneLineThatNamesTheFileAndWhatToDo(SQLiteErrorCode code, boolean corrupt, String says) {
        SQLException failure = new SQLiteException("[" + code.name() + "] Some words (some detail)", code);

        for (Exception each : new Exception[] {failure, new DataAccessException("SQL [select\n1]; x", failure)}) {
            ParleyException translated = SqlErrors.translate(FILE, each);

            assertThat(translated)
                    .isInstanceOf(corrupt ? StorageCorrupt.class : StorageUnavailable.class)
                    .hasMessageContaining("/home/p/state.db")
                    .hasMessageContaining(says)
                    .hasMessageNotContaining("\n")
                    .hasCause(each);
        }
    }

    @Test
    void whatIsKnownAlreadyStaysAsItIs() {
        StorageUnavailable known = new StorageUnavailable("x", null);

        assertThat(SqlErrors.translate(FILE, known)).isSameAs(known);
    }

    @Test
    void whatSqliteHasNoPartInIsStillOneLine() {
        assertThat(SqlErrors.translate(FILE, new DataAccessException("a\nb"))).hasMessageNotContaining("\n");
    }
}
