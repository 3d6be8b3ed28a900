package dev.parley.persistence.sqlite.connection;

import dev.parley.application.port.Ids;
import dev.parley.application.port.StorageUnavailable;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import org.jooq.exception.DataAccessException;

/**
 * Writes while other processes may write: each transaction takes the lock at its beginning, and one that did not get it is tried
 * again as a whole after a pause of random length (storage 2).
 */
public final class BusyRetry {
    private static final int ATTEMPTS = 15;
    private static final Duration LEAST = Duration.ofMillis(20);
    private static final Duration MOST = Duration.ofMillis(150);

    private final Ids ids;
    private final Pause pause;

    /** Waits. */
    @FunctionalInterface
    public interface Pause {
        /** Returns after the duration; earlier where the thread is interrupted. */
        void take(Duration duration);

        /** Returns the pause that lets the thread rest. */
        static Pause parked() {
            return duration -> LockSupport.parkNanos(BusyRetry.class, duration.toNanos());
        }
    }

    /**
     * What is done in a transaction; has no effect outside of it, since it may run several times.
     *
     * @param <T> what it returns
     */
    @FunctionalInterface
    public interface Work<T> {
        /** Does it. */
        T run() throws SQLException;
    }

    /** Retries with pauses taken from {@code ids}. */
    public BusyRetry(Ids ids, Pause pause) {
        this.ids = ids;
        this.pause = pause;
    }

    /**
     * Runs the work in a transaction that holds the write lock from its beginning. Commits it; rolls back whatever it throws.
     *
     * @throws SQLException where it failed otherwise than on a lock, or on a lock fifteen times
     */
    public <T> T transaction(Connection connection, Work<T> work) throws SQLException {
        return attempt(() -> {
            execute(connection, "BEGIN IMMEDIATE");
            try {
                T result = work.run();
                execute(connection, "COMMIT");
                return result;
            } catch (SQLException | RuntimeException | Error e) {
                rollBack(connection, e);
                throw e;
            }
        });
    }

    /** Runs work that is no transaction of its own, again where it fails on a lock. */
    public <T> T attempt(Work<T> work) throws SQLException {
        for (int attempt = 1; ; attempt++) {
            try {
                return work.run();
            } catch (SQLException | DataAccessException e) {
                if (!SqlErrors.isBusy(e) || attempt == ATTEMPTS) {
                    throw e;
                }
            }
            if (Thread.currentThread().isInterrupted()) {
                throw new StorageUnavailable("Waiting for the lock of the database was interrupted.", null);
            }
            pause.take(ids.jitter(LEAST, MOST));
        }
    }

    private static void rollBack(Connection connection, Throwable because) {
        try {
            execute(connection, "ROLLBACK");
        } catch (SQLException e) {
            because.addSuppressed(e);
        }
    }

    private static void execute(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }
}
