package dev.parley.persistence.postgres.read;

import static dev.parley.persistence.postgres.statement.AnyOf.isAnyOf;

import dev.parley.domain.session.SessionId;
import dev.parley.domain.transcript.StoredMessage;
import dev.parley.persistence.postgres.row.MessageRow;
import dev.parley.persistence.postgres.table.MessageTable;
import dev.parley.persistence.sql.read.SqlTranscripts;
import dev.parley.persistence.sql.statement.Row;
import java.sql.SQLException;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import org.jooq.Condition;
import org.jooq.DSLContext;
import org.jooq.Record;
import org.jooq.SelectWhereStep;
import org.jooq.impl.DSL;

/** Reads messages, those of several sessions in one round trip. */
public final class PostgresTranscripts extends SqlTranscripts {
    private static final Condition ACTIVE = MessageTable.STATE.eq(DSL.inline(MessageTable.ACTIVE));

    private final Reader reader;

    /** Reads through this reader. */
    public PostgresTranscripts(Reader reader) {
        super(
                reader,
                new Columns(MessageTable.TABLE, MessageTable.SEQ, MessageTable.SESSION_ID, MessageTable.ROLE, ACTIVE));
        this.reader = reader;
    }

    @Override
    protected SelectWhereStep<Record> messages(DSLContext dsl) {
        return dsl.select(MessageTable.ALL).from(MessageTable.TABLE);
    }

    @Override
    protected Optional<StoredMessage> message(Row row) throws SQLException {
        return Optional.of(MessageRow.read(row));
    }

    @Override
    public List<StoredMessage> load(Collection<SessionId> sessions) {
        String sql = reader.sql(
                "messages.active.several",
                dsl -> messages(dsl)
                        .where(isAnyOf(MessageTable.SESSION_ID))
                        .and(ACTIVE)
                        .orderBy(MessageTable.SEQ));
        List<String> ids = sessions.stream().map(SessionId::value).distinct().toList();
        return reader.statement(statements -> list(statements, sql, ids));
    }
}
