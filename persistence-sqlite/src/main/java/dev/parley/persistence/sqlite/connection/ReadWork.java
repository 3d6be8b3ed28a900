package dev.parley.persistence.sqlite.connection;

import java.sql.Connection;
import java.sql.SQLException;
import org.jooq.DSLContext;

/**
 * Something that reads.
 *
 * @param <T> what it returns
 */
@FunctionalInterface
public interface ReadWork<T> {
    /**
     * Reads.
     *
     * @param connection the connection, for statements that are rendered once and kept; not to be kept or closed
     * @param sql the same connection for jOOQ
     */
    T on(Connection connection, DSLContext sql) throws SQLException;
}
