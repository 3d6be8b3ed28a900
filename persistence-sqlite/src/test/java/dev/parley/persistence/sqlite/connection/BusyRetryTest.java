package dev.parley.persistence.sqlite.connection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.parley.application.port.Ids;
import dev.parley.persistence.sqlite.Openings;
import dev.parley.persistence.sqlite.Sql;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.sqlite.SQLiteErrorCode;

/** Waiting for other processes (storage 2). */
class BusyRetryTest {
    @TempDir
    Path folder;

    private final List<Duration> pauses = new ArrayList<>();
    private final Ids ids = new Openings.CountedIds() {
        @Override
        public Duration jitter(Duration least, Duration most) {
            assertThat(least).hasMillis(20);
            assertThat(most).hasMillis(150);
            return least;
        }
    };

    @Test
    void aTransactionThatFindsTheLockTakenIsTriedFifteenTimesWithFourteenPauses() throws SQLException {
        Path file = folder.resolve("a.db");
        try (Connection holder = Sql.connect(file);
                Connection waiter = Sql.connect(file)) {
            run(waiter, "PRAGMA busy_timeout = 0");
            run(holder, "BEGIN IMMEDIATE");
            int[] runs = new int[1];

            assertThatThrownBy(() -> new BusyRetry(ids, pauses::add).transaction(waiter, () -> runs[0]++))
                    .isInstanceOf(SQLException.class)
                    .matches(SqlErrors::isBusy);

            assertThat(pauses).hasSize(14);
            assertThat(runs[0]).isZero();
        }
    }

    @Test
    void aFileThatAnotherProcessIsMakingIsWaitedForUpToFifteenSecondsAtItsOpening() {
        Instant[] now = {Instant.parse("2026-03-01T08:00:00Z")};
        BusyRetry retry = new BusyRetry(ids, pause -> {
            pauses.add(pause);
            now[0] = now[0].plusMillis(100);
        });

        assertThatThrownBy(() -> retry.atOpening(() -> now[0]).attempt(() -> {
                    throw new SQLException("database is locked", "", SQLiteErrorCode.SQLITE_BUSY.code);
                }))
                .isInstanceOf(SQLException.class);

        assertThat(pauses).hasSize(150);
    }

    @Test
    void theWholeBodyRunsAgainOnceTheLockIsFree() throws SQLException {
        Path file = folder.resolve("a.db");
        Sql.run(file, "CREATE TABLE t (v)");
        try (Connection holder = Sql.connect(file);
                Connection waiter = Sql.connect(file)) {
            run(waiter, "PRAGMA busy_timeout = 0");
            run(holder, "BEGIN IMMEDIATE");
            BusyRetry retry = new BusyRetry(ids, pause -> {
                pauses.add(pause);
                if (pauses.size() == 3) {
                    release(holder);
                }
            });

            retry.transaction(waiter, () -> {
                run(waiter, "INSERT INTO t VALUES (1)");
                return true;
            });

            assertThat(pauses).hasSize(3);
        }
        assertThat(Sql.column(file, "SELECT v FROM t")).containsExactly(1);
    }

    @Test
    void whatFailsOtherwiseIsRolledBackAndNotRepeated() throws SQLException {
        Path file = folder.resolve("a.db");
        Sql.run(file, "CREATE TABLE t (v UNIQUE)", "INSERT INTO t VALUES (1)");
        try (Connection writer = Sql.connect(file)) {
            assertThatThrownBy(() -> new BusyRetry(ids, pauses::add).transaction(writer, () -> {
                        run(writer, "INSERT INTO t VALUES (2)");
                        run(writer, "INSERT INTO t VALUES (1)");
                        return true;
                    }))
                    .matches(SqlErrors::isConstraint);
        }

        assertThat(pauses).isEmpty();
        assertThat(Sql.column(file, "SELECT v FROM t")).containsExactly(1);
    }

    private static void release(Connection holder) {
        try {
            run(holder, "ROLLBACK");
        } catch (SQLException e) {
            throw new AssertionError(e);
        }
    }

    private static void run(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }
}
