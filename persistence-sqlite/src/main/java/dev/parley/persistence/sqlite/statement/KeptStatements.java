package dev.parley.persistence.sqlite.statement;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** The statements of connections, kept for as long as their connection lives. Safe for concurrent use. */
public final class KeptStatements {
    private final Map<Connection, Statements> kept = new ConcurrentHashMap<>();

    /** Keeps none yet. */
    public KeptStatements() {}

    /** Returns the statements of this connection, for whoever has it now. */
    public Statements of(Connection connection) {
        Statements known = kept.get(connection);
        if (known != null) {
            return known;
        }
        kept.keySet().removeIf(KeptStatements::isClosed);
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
