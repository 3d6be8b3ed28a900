package dev.parley.persistence.sqlite.h2;

import dev.parley.application.port.ParleyException;
import dev.parley.application.port.StorageUnavailable;
import dev.parley.persistence.sqlite.connection.ReadWork;
import dev.parley.persistence.sqlite.connection.Reads;
import dev.parley.persistence.sqlite.ledger.Engine;
import dev.parley.persistence.sqlite.schema.H2Schema;
import dev.parley.persistence.sqlite.statement.Statements;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.jooq.SQLDialect;

/** A database in memory with the declared tables, as the ledger and the reads need one. Lives until it is closed. */
final class H2Database implements Engine {
    private static final int SNAPSHOT = 6;
    private static final int LOCK_TIMEOUT = 50200;
    private static final String NEWEST = "select \"id\" from \"sessions\" order by _rowid_ desc";
    private static final AtomicLong NAMES = new AtomicLong();

    private final String name = "store" + NAMES.incrementAndGet();
    private final Connection keeper;
    private final ConcurrentLinkedDeque<Connection> idle = new ConcurrentLinkedDeque<>();
    private final AtomicLong lastRow = new AtomicLong();

    H2Database() throws SQLException {
        keeper = H2Schema.connect(name);
        H2Schema.create(keeper);
        // What H2 changes in its tables it commits at once, so nothing of that kind may wait for a transaction.
        H2Schema.addHidingColumns(keeper);
    }

    /** Closes its own connections; the database ends with the last one. */
    void close() {
        try (keeper) {
            for (Connection reader = idle.poll(); reader != null; reader = idle.poll()) {
                reader.close();
            }
        } catch (SQLException e) {
            throw translated(e);
        }
    }

    /** Returns reads that fail once the switch is set. */
    Reads reads(AtomicBoolean closed) {
        return new Reads() {
            @Override
            public <T> T read(ReadWork<T> work) {
                if (closed.get()) {
                    throw new StorageUnavailable("The database " + name + " is closed.", null);
                }
                try {
                    Connection connection = take();
                    try {
                        return work.on(connection);
                    } finally {
                        connection.commit();
                        idle.push(connection);
                    }
                } catch (SQLException e) {
                    throw translated(e);
                }
            }
        };
    }

    private Connection take() throws SQLException {
        Connection kept = idle.poll();
        if (kept != null) {
            return kept;
        }
        Connection connection = H2Schema.connect(name);
        connection.setTransactionIsolation(SNAPSHOT);
        connection.setAutoCommit(false);
        return connection;
    }

    static String newest() {
        return NEWEST;
    }

    @Override
    public SQLDialect dialect() {
        return SQLDialect.H2;
    }

    @Override
    public Connection open() throws SQLException {
        return H2Schema.connect(name);
    }

    @Override
    public void begin(Connection connection) throws SQLException {
        connection.setAutoCommit(false);
        noteLastRow(connection);
    }

    @Override
    public void commit(Connection connection) throws SQLException {
        connection.commit();
        connection.setAutoCommit(true);
    }

    @Override
    public void rollback(Connection connection) throws SQLException {
        if (!connection.getAutoCommit()) {
            connection.rollback();
            connection.setAutoCommit(true);
        }
    }

    @Override
    public long schemaVersion(Connection connection) {
        return 1;
    }

    @Override
    public long foreignCommits(Connection connection) {
        return 0;
    }

    @Override
    public boolean hasHidingColumns(Connection connection) {
        return true;
    }

    @Override
    public void addHidingColumns(Connection connection) throws SQLException {
        H2Schema.addHidingColumns(connection);
    }

    @Override
    public void addArchivedColumn(Connection connection) throws SQLException {
        H2Schema.addHidingColumns(connection);
    }

    @Override
    public long lastMessageRow(Statements statements) throws SQLException {
        noteLastRow(statements.connection());
        return lastRow.get();
    }

    /** Remembers the greatest row there has been, also of messages that are deleted afterwards. */
    private void noteLastRow(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row =
                        statement.executeQuery("select greatest(coalesce((select max(\"id\") from \"messages\"), 0),"
                                + " coalesce((select max(\"message_row\") from \"parley_messages\"), 0))")) {
            row.next();
            lastRow.accumulateAndGet(row.getLong(1), Math::max);
        }
    }

    @Override
    public String newestSessions(int limit) {
        return NEWEST + " limit " + limit;
    }

    @Override
    public void checkpoint(Connection connection) throws SQLException {
        execute(connection, "checkpoint");
    }

    @Override
    public boolean isBusy(SQLException e) {
        return e.getErrorCode() == LOCK_TIMEOUT;
    }

    @Override
    public boolean isConstraint(SQLException e) {
        return String.valueOf(e.getSQLState()).startsWith("23");
    }

    @Override
    public boolean isIndexBroken(SQLException e) {
        return false;
    }

    @Override
    public void setIndexAside(Connection connection) {
        throw new AssertionError("There is no index here.");
    }

    @Override
    public void indexWasSetAside() {
        throw new AssertionError("There is no index here.");
    }

    @Override
    public ParleyException translated(SQLException e) {
        return new StorageUnavailable("The database " + name + " refused: " + e.getMessage(), e);
    }

    private static void execute(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }
}
