package dev.parley.persistence.sqlite.read;

import dev.parley.persistence.sql.read.RowReader;
import dev.parley.persistence.sql.statement.Renderer;
import dev.parley.persistence.sqlite.connection.Reads;
import dev.parley.persistence.sqlite.statement.KeptStatements;
import dev.parley.persistence.sqlite.statement.Statements;
import java.sql.SQLException;
import java.util.function.Function;
import org.jooq.DSLContext;
import org.jooq.Field;
import org.jooq.Query;
import org.jooq.Table;
import org.jooq.impl.DSL;

/** Runs reads with prepared statements, which are kept for as long as their connection lives. Safe for concurrent use. */
public final class Reader implements RowReader {
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

    @Override
    public <T> T one(Table<?> table, RowReader.Work<T> work) {
        return reads.readOne(table.getName(), connection -> work.on(prepared.of(connection)));
    }

    @Override
    public <T> T statement(RowReader.Work<T> work) {
        return snapshot(work);
    }

    @Override
    public <T> T snapshot(RowReader.Work<T> work) {
        return reads.read(connection -> work.on(prepared.of(connection)));
    }

    @Override
    public <T> T walk(RowReader.Work<T> work) {
        return snapshot(work);
    }

    @Override
    public String sql(String name, Function<DSLContext, ? extends Query> statement) {
        return renderer.sql(name, statement);
    }

    /** SQLite's {@code lower} knows ASCII only. */
    @Override
    public Field<String> lower(Field<String> text) {
        return DSL.lower(text);
    }

    /** Work on a connection for reading. */
    @FunctionalInterface
    interface Work<T> {
        T on(Statements statements) throws SQLException;
    }
}
