package dev.parley.persistence.sqlite.schema;

import dev.parley.application.port.StorageUnavailable;
import dev.parley.persistence.sqlite.connection.Connections;
import dev.parley.persistence.sqlite.connection.DatabaseFile;
import dev.parley.persistence.sqlite.connection.ReadWork;
import dev.parley.persistence.sqlite.connection.ReaderPool;
import dev.parley.persistence.sqlite.connection.Reads;
import dev.parley.persistence.sqlite.connection.SqlErrors;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** A database that is open and up to date. */
public final class OpenDatabase implements AutoCloseable {
    private final Connections connections;
    private final Optional<Connection> writer;
    private final ReaderPool reads;
    private final List<String> done;
    private final Optional<Object> identity;

    OpenDatabase(Connections connections, Optional<Connection> writer, ReaderPool reads, List<String> done) {
        this.connections = connections;
        this.writer = writer;
        this.reads = reads;
        this.done = List.copyOf(done);
        this.identity = connections.file().identity();
    }

    /** Returns the file. */
    public DatabaseFile file() {
        return connections.file();
    }

    /**
     * Checks that the path still names the file that was opened: what is written to a file that was deleted or replaced would be
     * lost with it.
     *
     * @throws StorageUnavailable where it does not
     */
    public void checkInPlace() {
        if (!identity.equals(file().identity())) {
            throw new StorageUnavailable(
                    "The database " + file()
                            + " was deleted or replaced while it was in use; put it back, or stop and start on the one that"
                            + " is there now.",
                    null);
        }
    }

    /** Returns what opens further connections. */
    public Connections connections() {
        return connections;
    }

    /** Returns the connection for writing; absent where the database was opened for reading only. For one thread at a time. */
    public Optional<Connection> writer() {
        return writer;
    }

    /** Returns the reads. */
    public Reads reads() {
        return reads;
    }

    /**
     * Runs the work on a connection that has read nothing before. SQLite's check of a full-text index looks at what its
     * connection remembers of the index, and takes what others have written since for damage. Temporary tables are in files, so they
     * may be large.
     */
    public <T> T readAfresh(ReadWork<T> work) {
        try (ReaderPool fresh = new ReaderPool(connections, writer.isEmpty(), OpenDatabase::adaptWithFiles)) {
            return fresh.read(work);
        }
    }

    private static Set<String> adaptWithFiles(Connection reader) throws SQLException {
        try (Statement statement = reader.createStatement()) {
            statement.execute("PRAGMA temp_store = FILE");
        }
        return ReadViews.adapt(reader);
    }

    /** Returns in one line each what was done to bring the file up to date; empty where nothing was. */
    public List<String> done() {
        return done;
    }

    /** Closes the readers, moves the log into the file as far as nobody is in the way, and closes the writer (storage 2). */
    @Override
    public void close() {
        try {
            reads.close();
        } finally {
            writer.ifPresent(this::close);
        }
    }

    private void close(Connection connection) {
        try (connection) {
            if (!connection.isClosed()) {
                checkpoint(connection);
            }
        } catch (SQLException e) {
            throw SqlErrors.translate(connections.file(), e);
        }
    }

    /** What stays in the log is found there by the next opening, so that this fails, on a full disk too, is no loss. */
    private static void checkpoint(Connection connection) {
        try (Statement statement = connection.createStatement()) {
            statement.execute("PRAGMA wal_checkpoint(PASSIVE)");
        } catch (SQLException left) {
            // The next opening tells what is wrong with the file, if anything is.
        }
    }
}
