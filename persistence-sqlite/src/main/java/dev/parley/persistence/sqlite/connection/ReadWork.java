package dev.parley.persistence.sqlite.connection;

import java.sql.Connection;
import java.sql.SQLException;

/**
 * Work on a connection for reading.
 *
 * @param <T> what it returns
 */
@FunctionalInterface
public interface ReadWork<T> {
    /**
     * Reads.
     *
     * @param connection the connection; not to be kept or closed
     */
    T on(Connection connection) throws SQLException;
}
