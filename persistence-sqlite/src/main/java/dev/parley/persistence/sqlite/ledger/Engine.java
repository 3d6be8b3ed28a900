package dev.parley.persistence.sqlite.ledger;

import dev.parley.application.port.ParleyException;
import dev.parley.persistence.sqlite.statement.Statements;
import java.sql.Connection;
import java.sql.SQLException;
import org.jooq.SQLDialect;

/** What the ledger needs to know of a database beyond statements. */
public interface Engine {
    /** Returns the dialect that statements are rendered in. */
    SQLDialect dialect();

    /** Opens the connection that writes, on a database that is ready to be written. */
    Connection open() throws SQLException;

    /** Begins a transaction that holds the write lock from the start. */
    void begin(Connection connection) throws SQLException;

    /** Makes the transaction durable. */
    void commit(Connection connection) throws SQLException;

    /** Takes the transaction back; does nothing where there is none any more. */
    void rollback(Connection connection) throws SQLException;

    /** Returns a number that changes whenever a table or a column is added or removed by anybody. */
    long schemaVersion(Connection connection) throws SQLException;

    /** Returns a number that changes whenever another connection has committed something. */
    long foreignCommits(Connection connection) throws SQLException;

    /** Returns whether the columns that hide messages are there (storage 4.5). */
    boolean hasHidingColumns(Connection connection) throws SQLException;

    /** Adds the columns that hide messages, inside the current transaction. */
    void addHidingColumns(Connection connection) throws SQLException;

    /** Adds the column that marks sessions that were put away, inside the current transaction (storage 1.8). */
    void addArchivedColumn(Connection connection) throws SQLException;

    /** Returns the greatest number ever given to a message's row; the next one is above it (storage 1.2). */
    long lastMessageRow(Statements statements) throws SQLException;

    /** Returns the statement that selects the ids of so many sessions, the last inserted first. */
    String newestSessions(int limit);

    /** Moves what was committed into the database file, as far as nobody is in the way; between transactions only. */
    void checkpoint(Connection connection) throws SQLException;

    /** Returns whether another connection held a lock that was needed. */
    boolean isBusy(SQLException e);

    /** Returns whether a statement broke a constraint, so that nothing is wrong with the database. */
    boolean isConstraint(SQLException e);

    /** Returns whether a failure may be one of the search index, so that the same write can succeed without it. */
    boolean isIndexBroken(SQLException e);

    /**
     * Called outside of transactions after a failure that may be one of the search index. Removes from the list of tables what of the
     * index cannot be read, so that everything else can.
     */
    default void forgetUnreadableIndex(Connection connection, SQLException failure) throws SQLException {}

    /** Takes the search index out of the way of writes, at the beginning of the current transaction. */
    void setIndexAside(Connection connection) throws SQLException;

    /** Told once a transaction is durable that the search index was set aside in. */
    void indexWasSetAside();

    /**
     * Deletes the messages of a session without taking their texts out of the search index, inside the current transaction; that is done
     * once it is durable. Returns whether it did: a session that is deleted quickly enough is left to the usual statements.
     */
    default boolean deleteMessages(Connection connection, String session) throws SQLException {
        return false;
    }

    /** Returns the failure as the application knows it, with the file and what to do in its message. */
    ParleyException translated(SQLException e);
}
