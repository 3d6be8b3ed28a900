package dev.parley.benchmarks;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * What a server has spent so far. The processor's time is that of its processes that are there, so it can be compared between two
 * moments with the same connections.
 */
final class DatabaseUse {
    private final Map<Long, Duration> worked;
    private final long written;

    private DatabaseUse(Map<Long, Duration> worked, long written) {
        this.worked = worked;
        this.written = written;
    }

    static DatabaseUse now(Connection connection, long postmaster) throws SQLException {
        Map<Long, Duration> worked = ProcessHandle.of(postmaster).stream()
                .flatMap(server -> server.descendants())
                .collect(Collectors.toMap(
                        ProcessHandle::pid,
                        each -> each.info().totalCpuDuration().orElse(Duration.ZERO)));
        try (Statement statement = connection.createStatement();
                ResultSet found =
                        statement.executeQuery("select pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')::bigint")) {
            found.next();
            return new DatabaseUse(worked, found.getLong(1));
        }
    }

    /** Returns for how many microseconds the server's processes have worked since then. */
    double workedSince(DatabaseUse before) {
        return worked.entrySet().stream()
                        .mapToLong(each -> each.getValue()
                                .minus(before.worked.getOrDefault(each.getKey(), Duration.ZERO))
                                .toNanos())
                        .sum()
                / 1e3;
    }

    /** Returns how many bytes of its log it has written since then. */
    long writtenSince(DatabaseUse before) {
        return written - before.written;
    }
}
