package dev.parley.persistence.sqlite.connection;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Properties;
import org.sqlite.JDBC;

/** Opens connections to one file. */
public final class Connections {
    private static final int BUSY_MILLIS = 1000;

    private final DatabaseFile file;

    /** Connects to this file. */
    public Connections(DatabaseFile file) {
        this.file = file;
    }

    /** Returns the file. */
    public DatabaseFile file() {
        return file;
    }

    /** Opens a connection that writes, and makes the file where there is none; journal mode is left as it is (storage 1.1). */
    public Connection writer() throws SQLException {
        file.make();
        return prepared(open("mode=rwc"), "PRAGMA foreign_keys = ON");
    }

    /**
     * Opens a connection that only reads.
     *
     * @param immutable whether nobody writes: SQLite then makes no files of its own beside the database (storage 1.8)
     */
    public Connection reader(boolean immutable) throws SQLException {
        return prepared(open(immutable ? "mode=ro&immutable=1" : "mode=ro"), "PRAGMA temp_store = MEMORY");
    }

    private Connection open(String parameters) throws SQLException {
        return JDBC.createConnection(JDBC.PREFIX + file.uri(parameters), new Properties());
    }

    private static Connection prepared(Connection connection, String pragma) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute("PRAGMA busy_timeout = " + BUSY_MILLIS);
            statement.execute(pragma);
            return connection;
        } catch (SQLException e) {
            closeQuietly(connection, e);
            throw e;
        }
    }

    /** Closes a connection after a failure; what closing says is kept with it. */
    public static void closeQuietly(Connection connection, Throwable because) {
        try {
            connection.close();
        } catch (SQLException e) {
            because.addSuppressed(e);
        }
    }
}
