package dev.parley.persistence.sqlite.statement;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** The statements of connections, kept for as long as their connection lives. Safe for concurrent use. */
public final class KeptStatements {
    private final Map<Connection, Statements> kept = new ConcurrentHashMap<>();

    private final First first;

    /** What a connection needs before its first statement. */
    @FunctionalInterface
    public interface First {
        /** Gives it that. */
        void prepare(Connection connection) throws SQLException;
    }

    /** Keeps none yet, and prepares each connection before its first. */
    public KeptStatements(First first) {
        this.first = first;
    }

    /** Keeps none yet. */
    public KeptStatements() {
        this(connection -> {});
    }

    /** Returns the statements of this connection, for whoever has it now. */
    public Statements of(Connection connection) throws SQLException {
        Statements known = kept.get(connection);
        if (known != null) {
            return known;
        }
        kept.keySet().removeIf(KeptStatements::isClosed);
        first.prepare(connection);
        Statements made = new Statements(connection);
        kept.put(connection, made);
        return made;
    }

    private static boolean isClosed(Connection connection) {
        try {
            return connection.isClosed();
        } catch (SQLException e) {
            return true;
        }
    }
}
