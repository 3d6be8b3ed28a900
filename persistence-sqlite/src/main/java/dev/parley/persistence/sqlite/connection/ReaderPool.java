package dev.parley.persistence.sqlite.connection;

import dev.parley.application.port.StorageUnavailable;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.jooq.exception.DataAccessException;

/**
 * Keeps a few reading connections open. A reader that finds none idle gets a new one, so readers never wait for each other and
 * a reader that reads again cannot lock itself out.
 */
public final class ReaderPool implements Reads, AutoCloseable {
    private static final int KEPT = 4;
    private static final long UNSEEN = -1;

    private final Connections connections;
    private final boolean mayBeImmutable;
    private final SchemaListener schema;
    private final ConcurrentLinkedDeque<Reader> idle = new ConcurrentLinkedDeque<>();
    private final AtomicInteger kept = new AtomicInteger();
    private final AtomicBoolean closed = new AtomicBoolean();

    /** Told inside the reading transaction when a connection sees a schema for the first time, or another one than before. */
    @FunctionalInterface
    public interface SchemaListener {
        /** Adapts the connection to the schema it sees; returns the tables before which something else stands from now on. */
        Set<String> seen(Connection connection) throws SQLException;
    }

    /**
     * Makes an empty pool.
     *
     * @param connections opens connections
     * @param mayBeImmutable whether the file may be read as one that nobody writes, as long as no log stands beside it
     * @param schema adapts connections to the schema
     */
    public ReaderPool(Connections connections, boolean mayBeImmutable, SchemaListener schema) {
        this.connections = connections;
        this.mayBeImmutable = mayBeImmutable;
        this.schema = schema;
    }

    @Override
    public <T> T read(ReadWork<T> work) {
        return run(reader -> reader.read(work));
    }

    @Override
    public <T> T readOne(String table, ReadWork<T> work) {
        return run(reader -> reader.readOne(table, work));
    }

    private <T> T run(Run<T> run) {
        try {
            Reader reader = take();
            boolean whole = false;
            try {
                T result = run.on(reader);
                whole = true;
                return result;
            } finally {
                giveBack(reader, whole && !reader.spoiled);
            }
        } catch (SQLException | DataAccessException e) {
            if (SqlErrors.unreadableIndexEntry(e).isPresent()) {
                return runWithoutEntry(run);
            }
            throw SqlErrors.translate(connections.file(), e);
        }
    }

    /** Reads as if the entries of the search index that cannot be read were not there, which searches take for an index that is not whole. */
    private <T> T runWithoutEntry(Run<T> run) {
        try (Connection tolerant =
                connections.reader(mayBeImmutable && !connections.file().hasLog())) {
            try (Statement statement = tolerant.createStatement()) {
                statement.execute("PRAGMA writable_schema = ON");
            }
            return run.on(new Reader(tolerant, false));
        } catch (SQLException | DataAccessException e) {
            throw SqlErrors.translate(connections.file(), e);
        }
    }

    private Reader take() throws SQLException {
        if (closed.get()) {
            throw new StorageUnavailable("The database " + connections.file() + " is closed.", null);
        }
        boolean quiet = mayBeImmutable && !connections.file().hasLog();
        for (Reader reader = idle.poll(); reader != null; reader = idle.poll()) {
            kept.decrementAndGet();
            if (quiet || !reader.immutable) {
                return reader;
            }
            reader.connection.close();
        }
        return new Reader(connections.reader(quiet), quiet);
    }

    private void giveBack(Reader reader, boolean whole) throws SQLException {
        if (!whole || closed.get() || kept.incrementAndGet() > KEPT) {
            if (whole && !closed.get()) {
                kept.decrementAndGet();
            }
            reader.connection.close();
            return;
        }
        idle.push(reader);
        if (closed.get()) {
            closeIdle();
        }
    }

    /** Closes idle connections now and the others when they come back. */
    @Override
    public void close() {
        closed.set(true);
        try {
            closeIdle();
        } catch (SQLException e) {
            throw SqlErrors.translate(connections.file(), e);
        }
    }

    private void closeIdle() throws SQLException {
        for (Reader reader = idle.poll(); reader != null; reader = idle.poll()) {
            reader.connection.close();
        }
    }

    @FunctionalInterface
    private interface Run<T> {
        T on(Reader reader) throws SQLException;
    }

    private final class Reader {
        private final Connection connection;
        private final boolean immutable;
        private final PreparedStatement begin;
        private final PreparedStatement end;
        private final PreparedStatement version;
        private long seen = UNSEEN;
        private boolean spoiled;
        private Set<String> adapted = Set.of();

        Reader(Connection connection, boolean immutable) throws SQLException {
            this.connection = connection;
            this.immutable = immutable;
            try {
                begin = connection.prepareStatement("BEGIN");
                end = connection.prepareStatement("COMMIT");
                version = connection.prepareStatement("PRAGMA main.schema_version");
            } catch (SQLException e) {
                Connections.closeQuietly(connection, e);
                throw e;
            }
        }

        <T> T read(ReadWork<T> work) throws SQLException {
            begin.execute();
            try {
                adapt();
                return work.on(connection);
            } finally {
                finish();
            }
        }

        /** SQLite repeats at the end a damage that it met and the reading did without: what was read stands. */
        private void finish() throws SQLException {
            try {
                end.execute();
            } catch (SQLException e) {
                if (!SqlErrors.isDamaged(e)) {
                    throw e;
                }
                spoiled = true;
            }
        }

        /**
         * A table that is read as it stands needs no look at the schema: columns it has do not go, and where they do the statement is
         * refused.
         */
        <T> T readOne(String table, ReadWork<T> work) throws SQLException {
            if (seen == UNSEEN || adapted.contains(table)) {
                return read(work);
            }
            try {
                return work.on(connection);
            } catch (SQLException e) {
                if (!SqlErrors.isRefusedStatement(e)) {
                    throw e;
                }
                return read(work);
            }
        }

        /** Asking for the version begins the snapshot, so the schema adapted to is the one that is read. */
        private void adapt() throws SQLException {
            long now;
            try (ResultSet row = version.executeQuery()) {
                now = row.getLong(1);
            }
            if (now != seen) {
                adapted = schema.seen(connection);
                seen = now;
            }
        }
    }
}
