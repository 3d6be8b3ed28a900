package dev.parley.persistence.postgres.connection;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.parley.application.port.StorageUnavailable;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.ThreadFactory;

/** A few connections that are used again. Safe for concurrent use. */
public final class Pool implements AutoCloseable {
    /** The shortest wait that the pool library takes. */
    private static final Duration LEAST = Duration.ofMillis(250);

    private final Connections connections;
    private final HikariDataSource pool;

    /**
     * What a pool is for.
     *
     * @param name what it is called in logs
     * @param most how many connections there are at most
     * @param byKey whether each statement finds its rows by a key, so that it need be planned only once
     */
    public record Use(String name, int most, boolean byKey) {}

    /**
     * Opens connections as they are needed.
     *
     * @param use what they are for
     * @param patience for how long is waited for one
     * @param threads makes its threads
     */
    public Pool(Connections connections, Use use, Duration patience, ThreadFactory threads) {
        this.connections = connections;
        HikariConfig config = new HikariConfig();
        config.setPoolName("parley-" + use.name());
        config.setDataSource(connections.source(use.byKey()));
        config.setMaximumPoolSize(use.most());
        config.setMinimumIdle(0);
        config.setConnectionTimeout(Math.max(LEAST.toMillis(), patience.toMillis()));
        config.setValidationTimeout(LEAST.toMillis());
        config.setInitializationFailTimeout(-1);
        config.setThreadFactory(threads);
        this.pool = new HikariDataSource(config);
    }

    /** Returns where its connections lead. */
    public PostgresAddress address() {
        return connections.address();
    }

    /**
     * Lends a connection, with automatic commits; closing it gives it back. Waits for one also where the thread is interrupted, as the
     * work that it is for would.
     */
    public Connection borrow() throws SQLException {
        boolean interrupted = Thread.interrupted();
        try {
            if (pool.isClosed()) {
                throw new StorageUnavailable("The store " + address() + " is closed; open it again.", null);
            }
            return pool.getConnection();
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** Takes a connection that has failed out of the pool. */
    public void discard(Connection connection) {
        if (!pool.isClosed()) {
            pool.evictConnection(connection);
        }
    }

    /** Returns whether it lends no more connections. */
    public boolean isClosed() {
        return pool.isClosed();
    }

    @Override
    public void close() {
        pool.close();
    }
}
