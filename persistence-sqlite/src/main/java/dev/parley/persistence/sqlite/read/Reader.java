package dev.parley.persistence.sqlite.read;

import dev.parley.persistence.sqlite.connection.Reads;
import dev.parley.persistence.sqlite.statement.KeptStatements;
import dev.parley.persistence.sqlite.statement.Renderer;
import dev.parley.persistence.sqlite.statement.Statements;
import java.sql.SQLException;
import org.jooq.Table;

/** Runs reads with prepared statements, which are kept for as long as their connection lives. Safe for concurrent use. */
public final class Reader {
    private final Reads reads;
    private final Renderer renderer;
    private final KeptStatements prepared = new KeptStatements();

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
        return reads.read(connection -> work.on(prepared.of(connection)));
    }

    /** Runs work that is one statement on one table and may be repeated. */
    <T> T readOne(Table<?> table, Work<T> work) {
        return reads.readOne(table.getName(), connection -> work.on(prepared.of(connection)));
    }

    /** Work on a connection for reading. */
    @FunctionalInterface
    interface Work<T> {
        T on(Statements statements) throws SQLException;
    }
}
