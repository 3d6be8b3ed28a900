package dev.parley.persistence.postgres.read;

import dev.parley.application.port.StorageUnavailable;
import dev.parley.persistence.postgres.connection.Connections;
import dev.parley.persistence.postgres.connection.Pool;
import dev.parley.persistence.postgres.connection.SqlErrors;
import dev.parley.persistence.postgres.statement.Statements;
import dev.parley.persistence.sql.read.RowReader;
import dev.parley.persistence.sql.statement.Renderer;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.function.Function;
import org.jooq.DSLContext;
import org.jooq.Field;
import org.jooq.Query;
import org.jooq.Table;
import org.jooq.impl.DSL;

/**
 * Runs reads. Short ones share a pool of connections; a scan has one of its own, so that reads inside of it never wait for it. A read
 * whose connection turns out to be broken is repeated once. Safe for concurrent use.
 */
public final class Reader implements RowReader {
    private static final int ROWS_AT_ONCE = 500;

    private final Connections connections;
    private final Pool pool;
    private final Renderer renderer;

    /** Reads through these connections. */
    public Reader(Connections connections, Pool pool, Renderer renderer) {
        this.connections = connections;
        this.pool = pool;
        this.renderer = renderer;
    }

    @Override
    public String sql(String name, Function<DSLContext, ? extends Query> statement) {
        return renderer.sql(name, statement);
    }

    /** Runs work that is one statement, which sees one state of the store by itself. */
    public <T> T one(Work<T> work) {
        return pooled(connection -> work.on(new Statements(connection)));
    }

    @Override
    public <T> T one(Table<?> table, RowReader.Work<T> work) {
        return one(work::on);
    }

    @Override
    public <T> T statement(RowReader.Work<T> work) {
        return one(work::on);
    }

    @Override
    public <T> T snapshot(RowReader.Work<T> work) {
        return read(work::on);
    }

    @Override
    public <T> T walk(RowReader.Work<T> work) {
        return scan(work::on);
    }

    /** A collation of the database's may know more letters than ASCII's. */
    @Override
    public Field<String> lower(Field<String> text) {
        return DSL.field("lower({0} collate \"C\")", text.getDataType(), text);
    }

    /** Runs work on one state of the store: the last commit before it began, whatever is committed meanwhile. */
    public <T> T read(Work<T> work) {
        return pooled(connection -> {
            Statements statements = new Statements(connection);
            statements.run("begin isolation level repeatable read read only");
            T result = work.on(statements);
            statements.run("commit");
            return result;
        });
    }

    private <T> T pooled(OnConnection<T> work) {
        boolean again = false;
        while (true) {
            try (Connection connection = pool.borrow()) {
                boolean whole = false;
                try {
                    T result = work.on(connection);
                    whole = true;
                    return result;
                } finally {
                    if (!whole) {
                        giveUp(connection);
                    }
                }
            } catch (SQLException e) {
                if (again || !SqlErrors.isGone(e) || e instanceof java.sql.SQLTransientConnectionException) {
                    throw SqlErrors.translate(pool.address(), e);
                }
                again = true;
            }
        }
    }

    private void giveUp(Connection connection) {
        try {
            new Statements(connection).run("rollback");
        } catch (SQLException e) {
            pool.discard(connection);
        }
    }

    /** Runs work that walks through many rows, without holding them all, on one state of the store. */
    public <T> T scan(Work<T> work) {
        if (pool.isClosed()) {
            throw new StorageUnavailable("The store " + pool.address() + " is closed; open it again.", null);
        }
        try (Connection connection = connections.patient()) {
            connection.setAutoCommit(false);
            // For this transaction alone: behind a pooler what is set for a session stays with whoever has its
            // connection next.
            new Statements(connection).run("set transaction isolation level repeatable read, read only");
            T result = work.on(new Statements(connection, ROWS_AT_ONCE));
            connection.rollback();
            return result;
        } catch (SQLException e) {
            throw SqlErrors.translate(pool.address(), e);
        }
    }

    @FunctionalInterface
    private interface OnConnection<T> {
        T on(Connection connection) throws SQLException;
    }

    /**
     * Something that reads.
     *
     * @param <T> what it returns
     */
    @FunctionalInterface
    public interface Work<T> {
        /** Reads. */
        T on(Statements statements) throws SQLException;
    }
}
