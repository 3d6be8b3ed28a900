package dev.parley.persistence.postgres.ledger;

import dev.parley.application.port.Ids;
import dev.parley.application.port.InvalidRequest;
import dev.parley.application.port.Ledger;
import dev.parley.application.port.StorageUnavailable;
import dev.parley.domain.change.Batch;
import dev.parley.domain.change.CommitResult;
import dev.parley.domain.change.Precondition;
import dev.parley.persistence.postgres.connection.Connections;
import dev.parley.persistence.postgres.connection.Pool;
import dev.parley.persistence.postgres.connection.SqlErrors;
import dev.parley.persistence.postgres.statement.Script;
import dev.parley.persistence.postgres.statement.Statements;
import dev.parley.persistence.sql.statement.Renderer;
import dev.parley.persistence.sql.statement.Time;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantReadWriteLock;

/**
 * Commits each batch in a transaction of its own, in two round trips: one that locks and reads what the batch stands on, one that
 * writes and makes it durable. The server gathers commits itself, so no thread of Parley's does. Safe for concurrent use.
 *
 * <p>A batch that another one was in the way of is repeated as a whole; so is one, once, where somebody else was faster than its
 * checks, and the checks then say so. A connection that breaks before anything was written is replaced once. Where it breaks later,
 * nobody knows whether the batch is stored: repeating it finds out, since its writer's row waits for the old transaction to end.
 */
public final class PostgresLedger implements Ledger, AutoCloseable {
    private static final int ATTEMPTS = 10;
    private static final Duration LEAST = Duration.ofMillis(5);
    private static final Duration MOST = Duration.ofMillis(100);
    private static final int REMEMBERED = 100_000;

    private final Connections connections;
    private final Pool pool;
    private final Renderer renderer;
    private final InstantSource clock;
    private final Ids ids;
    /** Lanes that have a row to be locked; such rows stay for ever. */
    private final Set<String> lockable = ConcurrentHashMap.newKeySet();

    /** Held for reading by each commit, so that closing waits for those under way. */
    private final ReentrantReadWriteLock open = new ReentrantReadWriteLock();

    private boolean closed;

    /** Commits through these connections. */
    public PostgresLedger(Connections connections, Pool pool, Renderer renderer, InstantSource clock, Ids ids) {
        this.connections = connections;
        this.pool = pool;
        this.renderer = renderer;
        this.clock = clock;
        this.ids = ids;
    }

    @Override
    public CommitResult commit(Batch batch) {
        open.readLock().lock();
        try {
            if (closed) {
                throw new StorageUnavailable("The store " + pool.address() + " is closed; open it again.", null);
            }
            return commitOpen(batch);
        } finally {
            open.readLock().unlock();
        }
    }

    private CommitResult commitOpen(Batch batch) {
        Needs needs;
        try {
            needs = Needs.of(batch);
        } catch (RuntimeException | Error e) {
            throw Ledger.refusal(batch.id(), e);
        }
        boolean raced = false;
        boolean reconnected = false;
        for (int attempt = 1; ; attempt++) {
            try {
                return attempt(batch, needs);
            } catch (Failed failed) {
                SQLException why = failed.why;
                if (SqlErrors.isAgain(why) && attempt < ATTEMPTS) {
                    LockSupport.parkNanos(ids.jitter(LEAST, MOST).toNanos());
                } else if (SqlErrors.isRace(why) && !raced) {
                    raced = true;
                } else if (SqlErrors.isGone(why) && !failed.writing && !reconnected) {
                    reconnected = true;
                } else if (SqlErrors.isRace(why)) {
                    throw new InvalidRequest(
                            "The batch breaks a rule of the store (" + SqlErrors.detail(why) + ").", why);
                } else {
                    throw SqlErrors.translate(pool.address(), why);
                }
            }
        }
    }

    private CommitResult attempt(Batch batch, Needs needs) throws Failed {
        Connection connection;
        try {
            connection = needs.isPatient() ? connections.patient() : pool.borrow();
        } catch (SQLException e) {
            // Waiting for a connection has tried several times already.
            throw SqlErrors.translate(pool.address(), e);
        }
        boolean whole = false;
        Phase phase = new Phase();
        try (connection) {
            try {
                CommitResult result = run(connection, batch, needs, phase);
                whole = true;
                return result;
            } finally {
                if (!whole) {
                    giveUp(connection);
                }
            }
        } catch (SQLException e) {
            throw new Failed(e, phase.writing);
        }
    }

    private CommitResult run(Connection connection, Batch batch, Needs needs, Phase phase) throws SQLException {
        Reading reading = read(connection, batch, needs);
        if (!reading.isNew()) {
            rollBack(connection);
            return new CommitResult.Committed();
        }
        for (Precondition precondition : batch.preconditions()) {
            if (!precondition.holds(reading.known())) {
                rollBack(connection);
                return new CommitResult.Conflict(precondition);
            }
        }
        List<Script> scripts = written(batch, needs, reading.known());
        phase.writing = true;
        for (Script script : scripts) {
            script.run(connection);
        }
        lockable.addAll(needs.lanes);
        return new CommitResult.Committed();
    }

    private Reading read(Connection connection, Batch batch, Needs needs) throws SQLException {
        if (lockable.size() > REMEMBERED) {
            lockable.clear();
        }
        List<String> unknown =
                needs.lanes.stream().filter(lane -> !lockable.contains(lane)).toList();
        Reading reading = new Reading(renderer, needs);
        reading.script(batch.id().writer(), batch.id().sequence(), Time.nanos(clock.instant()), unknown)
                .run(connection);
        if (!reading.isLocked()) {
            // The database is an older one than before, such as a restored copy.
            lockable.clear();
            rollBack(connection);
            reading = new Reading(renderer, needs);
            reading.script(batch.id().writer(), batch.id().sequence(), Time.nanos(clock.instant()), needs.lanes)
                    .run(connection);
        }
        return reading;
    }

    private List<Script> written(Batch batch, Needs needs, Known known) {
        try {
            Writing writing = new Writing(renderer, needs, known);
            batch.changes().forEach(change -> change.accept(writing));
            return writing.scripts();
        } catch (RuntimeException | Error e) {
            throw Ledger.refusal(batch.id(), e);
        }
    }

    private static void rollBack(Connection connection) throws SQLException {
        new Statements(connection).run("rollback");
    }

    /** Ends the transaction of a connection that failed; one that cannot even do that is not used again. */
    private void giveUp(Connection connection) {
        try {
            rollBack(connection);
        } catch (SQLException e) {
            pool.discard(connection);
        }
    }

    /** Lets those who commit finish; refuses everybody else. */
    @Override
    public void close() {
        open.writeLock().lock();
        try {
            closed = true;
        } finally {
            open.writeLock().unlock();
        }
    }

    /** How far a transaction has come. */
    private static final class Phase {
        private boolean writing;
    }

    /** A transaction that did not come to its end. */
    private static final class Failed extends Exception {
        private static final long serialVersionUID = 1L;

        private final SQLException why;
        private final boolean writing;

        Failed(SQLException why, boolean writing) {
            super(why);
            this.why = why;
            this.writing = writing;
        }
    }
}
