package dev.parley.persistence.sqlite.read;

import dev.parley.persistence.sqlite.connection.Reads;
import dev.parley.persistence.sqlite.statement.Renderer;
import dev.parley.persistence.sqlite.statement.Statements;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Runs reads with prepared statements, which are kept for as long as their connection lives. Safe for concurrent use. */
public final class Reader {
    private final Reads reads;
    private final Renderer renderer;
    private final Map<Connection, Statements> prepared = new ConcurrentHashMap<>();

    /** Reads through these connections. */
    public Reader(Reads reads, Renderer renderer) {
        this.reads = reads;
        this.renderer = renderer;
    }

    /** Returns what statements are rendered with. */
    Renderer renderer() {
        return renderer;
    }

    /** Runs the work on one consistent state. */
    <T> T read(Work<T> work) {
        return reads.read((connection, dsl) -> work.on(statements(connection)));
    }

    private static boolean isClosed(Connection connection) {
        try {
            return connection.isClosed();
        } catch (SQLException e) {
            return true;
        }
    }

    private Statements statements(Connection connection) {
        Statements known = prepared.get(connection);
        if (known != null) {
            return known;
        }
        prepared.keySet().removeIf(Reader::isClosed);
        Statements made = new Statements(connection);
        prepared.put(connection, made);
        return made;
    }

    /** Something that reads. */
    @FunctionalInterface
    interface Work<T> {
        T on(Statements statements) throws SQLException;
    }
}
