package dev.parley.persistence.postgres.connection;

import java.io.PrintWriter;
import java.sql.Connection;
import java.sql.Driver;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.time.Duration;
import java.util.Properties;
import java.util.logging.Logger;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Opens connections to one database. A connection that works gives up by itself: on a server that is silent, on a statement or a lock
 * that takes too long, and on a transaction that nobody goes on with.
 */
public final class Connections {
    private static final Duration IDLE_IN_TRANSACTION = Duration.ofSeconds(3);
    private static final Duration LOCK = Duration.ofSeconds(4);

    private final PostgresAddress address;
    private final Login login;
    private final Limits limits;
    private final boolean writable;

    /**
     * How long is waited for the server.
     *
     * @param statement for one statement
     * @param pooled whether a pooler stands between, which takes no settings of a session and keeps no statements prepared
     */
    public record Limits(Duration statement, boolean pooled) {}

    /** Connects there, for reading only or also for writing. */
    public Connections(PostgresAddress address, Login login, Limits limits, boolean writable) {
        this.address = address;
        this.login = login;
        this.limits = limits;
        this.writable = writable;
    }

    /** Returns the address. */
    public PostgresAddress address() {
        return address;
    }

    /** Opens a connection for short work. */
    public Connection work() throws SQLException {
        return open("10", session());
    }

    private String session() {
        return "-c statement_timeout=" + limits.statement().toMillis() + " -c lock_timeout=" + LOCK.toMillis()
                + " -c idle_in_transaction_session_timeout=" + IDLE_IN_TRANSACTION.toMillis();
    }

    /**
     * Opens a connection for short work of which each statement finds its rows by a key. The server plans a statement once for any
     * values; left to itself it would plan one that is given a list of keys each time, which costs more than to run it.
     */
    public Connection byKey() throws SQLException {
        return open("10", session() + " -c plan_cache_mode=force_generic_plan");
    }

    /** Opens a connection for the beats of a gateway: one that does not answer within two seconds is given up. */
    public Connection pulse() throws SQLException {
        return open("2", "-c statement_timeout=2000 -c lock_timeout=2000");
    }

    /** Opens a connection for work that may take as long as it takes: a scan, a check, a new index. */
    public Connection patient() throws SQLException {
        return open("0", "-c statement_timeout=0 -c lock_timeout=0 -c idle_in_transaction_session_timeout=0");
    }

    private Connection open(String socketTimeout, String session) throws SQLException {
        Properties properties = new Properties();
        properties.setProperty("connectTimeout", "3");
        properties.setProperty("socketTimeout", socketTimeout);
        properties.setProperty("tcpKeepAlive", "true");
        properties.setProperty("ApplicationName", "parley");
        properties.setProperty("gssEncMode", "disable");
        // The details of an error repeat values, which may be what people said.
        properties.setProperty("logServerErrorDetail", "false");
        properties.putAll(address.properties());
        login.addTo(properties);
        if (limits.pooled()) {
            properties.setProperty("prepareThreshold", "0");
        } else {
            properties.setProperty("currentSchema", address.schema());
            properties.setProperty("options", session + (writable ? "" : " -c default_transaction_read_only=on"));
        }
        @Nullable Connection connection = driver().connect(address.url(), properties);
        if (connection == null) {
            throw new SQLException("The driver does not know this address.", "08001");
        }
        return connection;
    }

    private Driver driver() throws SQLException {
        return DriverManager.getDriver(address.url());
    }

    /** Returns connections for short work as a pool asks for them. */
    DataSource source(boolean byKey) {
        return new Source(byKey);
    }

    private final class Source implements DataSource {
        private final boolean byKey;

        Source(boolean byKey) {
            this.byKey = byKey;
        }

        @Override
        public Connection getConnection() throws SQLException {
            return byKey ? byKey() : work();
        }

        @Override
        public Connection getConnection(String user, String password) throws SQLException {
            return getConnection();
        }

        @Override
        public @Nullable PrintWriter getLogWriter() {
            return null;
        }

        @Override
        public void setLogWriter(@Nullable PrintWriter out) {
            // The driver logs through java.util.logging.
        }

        @Override
        public void setLoginTimeout(int seconds) {
            // The time to connect is a property of the address.
        }

        @Override
        public int getLoginTimeout() {
            return 0;
        }

        @Override
        public Logger getParentLogger() throws SQLFeatureNotSupportedException {
            throw new SQLFeatureNotSupportedException("The driver names no logger of these connections.");
        }

        @Override
        public <T> T unwrap(Class<T> type) throws SQLException {
            throw new SQLException("Nothing is wrapped here.");
        }

        @Override
        public boolean isWrapperFor(Class<?> type) {
            return false;
        }
    }
}
