package dev.parley.persistence.sqlite.connection;

import dev.parley.application.port.Ids;
import dev.parley.application.port.StorageUnavailable;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;
import org.jooq.exception.DataAccessException;

/**
 * Writes while other processes may write: each transaction takes the lock at its beginning, and one that did not get it is tried
 * again as a whole after a pause of random length (storage 2).
 */
public final class BusyRetry {
    private static final int ATTEMPTS = 15;

    /** Another process that makes or upgrades the same file holds its lock for seconds, and SQLite does not wait for that one. */
    private static final int ATTEMPTS_AT_OPENING = 200;

    private static final Duration AT_OPENING = Duration.ofSeconds(15);

    private static final Duration LEAST = Duration.ofMillis(20);
    private static final Duration MOST = Duration.ofMillis(150);

    private final Ids ids;
    private final Pause pause;
    private final Predicate<Throwable> busy;
    private final Optional<Patience> patience;
    private final int attempts;

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

    /**
     * For how long a lock is waited for at most, beyond the attempt that is under way then.
     *
     * @param time how long
     * @param clock time
     */
    public record Patience(Duration time, InstantSource clock) {}

    /** Retries with pauses taken from {@code ids}. */
    public BusyRetry(Ids ids, Pause pause) {
        this(ids, pause, SqlErrors::isBusy, Optional.empty());
    }

    /**
     * Retries with pauses taken from {@code ids}.
     *
     * @param busy tells failures on a lock
     * @param patience for how long at most; absent for as long as all attempts take
     */
    public BusyRetry(Ids ids, Pause pause, Predicate<Throwable> busy, Optional<Patience> patience) {
        this(ids, pause, busy, patience, ATTEMPTS);
    }

    private BusyRetry(Ids ids, Pause pause, Predicate<Throwable> busy, Optional<Patience> patience, int attempts) {
        this.ids = ids;
        this.pause = pause;
        this.busy = busy;
        this.patience = patience;
        this.attempts = attempts;
    }

    /** Returns a retry that waits up to 15 seconds for a file that another process is making or upgrading. */
    public BusyRetry atOpening(InstantSource clock) {
        return new BusyRetry(ids, pause, busy, Optional.of(new Patience(AT_OPENING, clock)), ATTEMPTS_AT_OPENING);
    }

    /**
     * Runs the work in a transaction that holds the write lock from its beginning. Commits it; rolls back whatever it throws.
     *
     * @throws SQLException where it failed otherwise than on a lock, or on a lock until attempts or patience ran out
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

    /**
     * Runs work that sees to its transaction itself, again where it fails on a lock.
     *
     * @throws SQLException where it failed otherwise than on a lock, or on a lock until attempts or patience ran out
     */
    public <T> T attempt(Work<T> work) throws SQLException {
        Optional<Instant> end = patience.map(p -> p.clock().instant().plus(p.time()));
        for (int attempt = 1; ; attempt++) {
            try {
                return work.run();
            } catch (SQLException | DataAccessException e) {
                if (!busy.test(e) || attempt == attempts || hasPassed(end)) {
                    throw e;
                }
            }
            if (Thread.currentThread().isInterrupted()) {
                throw new StorageUnavailable("Waiting for the lock of the database was interrupted.", null);
            }
            pause.take(ids.jitter(LEAST, MOST));
        }
    }

    private boolean hasPassed(Optional<Instant> end) {
        return patience.isPresent()
                && end.filter(at -> !patience.get().clock().instant().isBefore(at))
                        .isPresent();
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
