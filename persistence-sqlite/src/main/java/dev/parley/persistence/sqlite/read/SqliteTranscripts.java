package dev.parley.persistence.sqlite.read;

import dev.parley.domain.session.SessionId;
import dev.parley.domain.transcript.StoredMessage;
import dev.parley.persistence.sql.read.SqlTranscripts;
import dev.parley.persistence.sql.statement.Row;
import dev.parley.persistence.sqlite.row.MessageRow;
import dev.parley.persistence.sqlite.table.ExtraTables.Messages;
import dev.parley.persistence.sqlite.table.MessageTable;
import java.sql.SQLException;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import org.jooq.DSLContext;
import org.jooq.Record;
import org.jooq.SelectWhereStep;
import org.jooq.impl.DSL;

/** Reads messages of schema 11 together with what Parley keeps beside them. */
public final class SqliteTranscripts extends SqlTranscripts {
    private final Reader reader;

    /** Reads through this reader. */
    public SqliteTranscripts(Reader reader) {
        super(
                reader,
                new Columns(
                        MessageTable.TABLE,
                        MessageTable.ID,
                        MessageTable.SESSION_ID,
                        MessageTable.ROLE,
                        MessageTable.ACTIVE.isNull().or(MessageTable.ACTIVE.ne(DSL.inline(0L)))));
        this.reader = reader;
    }

    @Override
    protected SelectWhereStep<Record> messages(DSLContext dsl) {
        return dsl.select(MessageRow.READ)
                .from(MessageTable.TABLE)
                .leftJoin(Messages.TABLE)
                .on(Messages.MESSAGE_ROW.eq(MessageTable.ID))
                .and(Messages.SESSION_ID.eq(MessageTable.SESSION_ID));
    }

    @Override
    protected Optional<StoredMessage> message(Row row) throws SQLException {
        return MessageRow.read(row);
    }

    @Override
    protected Optional<StoredMessage> message(Row row, SessionId session) throws SQLException {
        return Optional.of(MessageRow.read(row, session));
    }

    @Override
    public List<StoredMessage> load(Collection<SessionId> sessions) {
        String sql = active();
        return reader.snapshot(statements -> {
            TreeMap<Long, StoredMessage> inOrder = new TreeMap<>();
            for (SessionId session : new LinkedHashSet<>(sessions)) {
                listOf(session, statements, sql).forEach(message -> inOrder.put(message.sequence(), message));
            }
            return List.copyOf(inOrder.values());
        });
    }
}
