package dev.parley.persistence.postgres.cluster;

import dev.parley.application.port.StorageUnavailable;
import dev.parley.persistence.postgres.connection.Connections;
import dev.parley.persistence.postgres.connection.SqlErrors;
import dev.parley.persistence.postgres.statement.Statements;
import dev.parley.persistence.sql.statement.Queries;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The connection of the beats: nothing else waits on it or keeps it waiting. One that fails is replaced by the next beat. */
final class Pulse implements AutoCloseable {
    private final Connections connections;
    private @Nullable Connection connection;
    private boolean closed;

    Pulse(Connections connections) {
        this.connections = connections;
    }

    /** Runs a statement and returns the first row that it returns; absent where it returns none. */
    synchronized <T> Optional<T> first(String sql, Queries.Mapper<T> mapper, @Nullable Object... values) {
        if (closed) {
            throw new StorageUnavailable("The store " + connections.address() + " is closed; open it again.", null);
        }
        boolean whole = false;
        try {
            Connection mine = connection == null ? connections.pulse() : connection;
            connection = mine;
            Optional<T> first = new Statements(mine).first(sql, mapper, values);
            whole = true;
            return first;
        } catch (SQLException e) {
            throw SqlErrors.translate(connections.address(), e);
        } finally {
            if (!whole) {
                drop();
            }
        }
    }

    private void drop() {
        Connection mine = connection;
        connection = null;
        if (mine != null) {
            try {
                mine.close();
            } catch (SQLException e) {
                // The connection is given up, whatever it says.
            }
        }
    }

    @Override
    public synchronized void close() {
        closed = true;
        drop();
    }
}
