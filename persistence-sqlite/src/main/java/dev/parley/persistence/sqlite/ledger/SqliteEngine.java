package dev.parley.persistence.sqlite.ledger;

import dev.parley.application.port.ParleyException;
import dev.parley.application.port.StorageUnavailable;
import dev.parley.persistence.sqlite.connection.SqlErrors;
import dev.parley.persistence.sqlite.schema.Archiving;
import dev.parley.persistence.sqlite.schema.IndexWatch;
import dev.parley.persistence.sqlite.schema.OpenDatabase;
import dev.parley.persistence.sqlite.schema.RemovedMessages;
import dev.parley.persistence.sqlite.schema.SearchIndex;
import dev.parley.persistence.sqlite.schema.SoftDelete;
import dev.parley.persistence.sqlite.statement.KeptStatements;
import dev.parley.persistence.sqlite.statement.Statements;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import org.jooq.SQLDialect;

/** SQLite as the ledger needs it. Transactions take the write lock when they begin (storage 2). */
public final class SqliteEngine implements Engine {
    private static final String LAST_ROW = "select max("
            + "coalesce((select seq from sqlite_sequence where name = 'messages'), 0), "
            + "coalesce((select max(id) from messages), 0), "
            + "coalesce((select max(message_row) from parley_messages), 0))";

    private final OpenDatabase database;
    private final IndexWatch index;
    private final KeptStatements kept = new KeptStatements();

    /** Whether the current transaction leaves texts of deleted messages in the index; touched by its thread alone. */
    private boolean leavesTexts;

    /** Writes to this database, which was opened for it; {@code index} is told where the search index stood in the way. */
    public SqliteEngine(OpenDatabase database, IndexWatch index) {
        this.database = database;
        this.index = index;
    }

    @Override
    public SQLDialect dialect() {
        return SQLDialect.SQLITE;
    }

    @Override
    public Connection open() {
        return database.writer()
                .orElseThrow(() -> new StorageUnavailable(
                        "The database " + database.file() + " was opened to be read only; open it for writing.", null));
    }

    @Override
    public void begin(Connection connection) throws SQLException {
        database.checkInPlace();
        leavesTexts = false;
        kept.of(connection).update("begin immediate");
    }

    @Override
    public void commit(Connection connection) throws SQLException {
        kept.of(connection).update("commit");
        if (leavesTexts) {
            leavesTexts = false;
            index.textsWereLeft();
        }
    }

    @Override
    public void rollback(Connection connection) throws SQLException {
        try {
            execute(connection, "rollback");
        } catch (SQLException e) {
            if (!SqlErrors.isRefusedStatement(e)) {
                throw e;
            }
        }
    }

    @Override
    public long schemaVersion(Connection connection) throws SQLException {
        return kept.of(connection).number("pragma main.schema_version");
    }

    @Override
    public long foreignCommits(Connection connection) throws SQLException {
        return kept.of(connection).number("pragma main.data_version");
    }

    @Override
    public boolean hasHidingColumns(Connection connection) throws SQLException {
        return SoftDelete.isPossible(connection);
    }

    @Override
    public void addHidingColumns(Connection connection) throws SQLException {
        SoftDelete.prepare(connection);
    }

    @Override
    public void addArchivedColumn(Connection connection) throws SQLException {
        Archiving.prepare(connection);
    }

    @Override
    public long lastMessageRow(Statements statements) throws SQLException {
        return statements.number(LAST_ROW);
    }

    @Override
    public String newestSessions(int limit) {
        return "select id from sessions order by rowid desc limit " + limit;
    }

    @Override
    public void checkpoint(Connection connection) throws SQLException {
        execute(connection, "pragma wal_checkpoint(passive)");
    }

    @Override
    public boolean isBusy(SQLException e) {
        return SqlErrors.isBusy(e);
    }

    @Override
    public boolean isConstraint(SQLException e) {
        return SqlErrors.isConstraint(e);
    }

    @Override
    public boolean isIndexBroken(SQLException e) {
        return SearchIndex.isBroken(e);
    }

    @Override
    public void forgetUnreadableIndex(Connection connection, SQLException failure) throws SQLException {
        SearchIndex.forgetUnreadable(connection, failure);
    }

    @Override
    public void setIndexAside(Connection connection) throws SQLException {
        SearchIndex.setAside(connection);
    }

    @Override
    public void indexWasSetAside() {
        index.wasSetAside();
    }

    @Override
    public boolean deleteMessages(Connection connection, String session) throws SQLException {
        boolean left = RemovedMessages.leave(connection, session);
        leavesTexts |= left;
        return left;
    }

    @Override
    public ParleyException translated(SQLException e) {
        return SqlErrors.translate(database.file(), e);
    }

    private static void execute(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }
}
