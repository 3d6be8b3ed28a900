package dev.parley.persistence.sql.read;

import dev.parley.persistence.sql.statement.Queries;
import java.sql.SQLException;
import java.util.function.Function;
import org.jooq.DSLContext;
import org.jooq.Field;
import org.jooq.Query;
import org.jooq.Table;

/** Runs reads on a database and says what its dialect has words of its own for. Safe for concurrent use. */
public interface RowReader {
    /** Returns the text of a statement; see {@link dev.parley.persistence.sql.statement.Renderer#sql}. */
    String sql(String name, Function<DSLContext, ? extends Query> statement);

    /** Runs work that is one statement on this table, or one whose answer depends on no other, and may be repeated. */
    <T> T one(Table<?> table, Work<T> work);

    /** Runs work that is one statement on several tables, and may be repeated. */
    <T> T statement(Work<T> work);

    /** Runs work of several statements on one state of the store; it may be repeated. */
    <T> T snapshot(Work<T> work);

    /** Runs work that walks through many rows, without holding them all, on one state of the store. */
    <T> T walk(Work<T> work);

    /** Returns the text with its ASCII letters in lower case and everything else as it is. */
    Field<String> lower(Field<String> text);

    /**
     * Something that reads.
     *
     * @param <T> what it returns
     */
    @FunctionalInterface
    interface Work<T> {
        /** Reads. */
        T on(Queries queries) throws SQLException;
    }
}
