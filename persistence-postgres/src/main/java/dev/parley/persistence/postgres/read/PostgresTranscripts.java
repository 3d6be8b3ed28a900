package dev.parley.persistence.postgres.read;

import static dev.parley.persistence.postgres.statement.AnyOf.isAnyOf;
import static dev.parley.persistence.sql.statement.Renderer.value;

import dev.parley.application.port.Transcripts;
import dev.parley.domain.session.SessionId;
import dev.parley.domain.transcript.StoredMessage;
import dev.parley.persistence.postgres.row.MessageRow;
import dev.parley.persistence.postgres.statement.Statements;
import dev.parley.persistence.postgres.table.MessageTable;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jooq.Condition;
import org.jooq.DSLContext;
import org.jooq.Field;
import org.jooq.Query;
import org.jooq.Record;
import org.jooq.SelectJoinStep;
import org.jooq.impl.DSL;
import org.jooq.impl.SQLDataType;
import org.jspecify.annotations.Nullable;

/** Reads messages, always in the order of their rows (storage 4.3). */
public final class PostgresTranscripts implements Transcripts {
    private static final Field<Long> LIMIT = DSL.field("limit", SQLDataType.BIGINT);
    private static final Condition ACTIVE = MessageTable.STATE.eq(DSL.inline(MessageTable.ACTIVE));

    private final Reader reader;

    /** Reads through this reader. */
    public PostgresTranscripts(Reader reader) {
        this.reader = reader;
    }

    @Override
    public List<StoredMessage> load(SessionId session) {
        String sql = sql(
                "messages.active",
                dsl -> messages(dsl)
                        .where(MessageTable.SESSION_ID.eq(value(MessageTable.SESSION_ID)))
                        .and(ACTIVE)
                        .orderBy(MessageTable.SEQ));
        return reader.one(statements -> list(statements, sql, session.value()));
    }

    @Override
    public List<StoredMessage> loadAll(SessionId session) {
        String sql = sql(
                "messages.all",
                dsl -> messages(dsl)
                        .where(MessageTable.SESSION_ID.eq(value(MessageTable.SESSION_ID)))
                        .orderBy(MessageTable.SEQ));
        return reader.one(statements -> list(statements, sql, session.value()));
    }

    @Override
    public List<StoredMessage> load(Collection<SessionId> sessions) {
        String sql = sql(
                "messages.active.several",
                dsl -> messages(dsl)
                        .where(isAnyOf(MessageTable.SESSION_ID))
                        .and(ACTIVE)
                        .orderBy(MessageTable.SEQ));
        List<String> ids = sessions.stream().map(SessionId::value).distinct().toList();
        return reader.one(statements -> list(statements, sql, ids));
    }

    @Override
    public List<StoredMessage> tail(SessionId session, int limit) {
        String sql = sql(
                "messages.tail",
                dsl -> messages(dsl)
                        .where(MessageTable.SESSION_ID.eq(value(MessageTable.SESSION_ID)))
                        .and(ACTIVE)
                        .orderBy(MessageTable.SEQ.desc())
                        .limit(value(LIMIT)));
        return turned(reader.one(statements -> list(statements, sql, session.value(), Math.max(0, limit))));
    }

    @Override
    public List<StoredMessage> recentUserMessages(SessionId session, int limit) {
        String sql = sql(
                "messages.users",
                dsl -> messages(dsl)
                        .where(MessageTable.SESSION_ID.eq(value(MessageTable.SESSION_ID)))
                        .and(MessageTable.ROLE.eq(DSL.inline("user")))
                        .and(ACTIVE)
                        .orderBy(MessageTable.SEQ.desc())
                        .limit(value(LIMIT)));
        return reader.one(statements -> list(statements, sql, session.value(), Math.max(0, limit)));
    }

    @Override
    public List<StoredMessage> around(SessionId session, long sequence, int before, int after) {
        String itself = sql(
                "messages.one",
                dsl -> messages(dsl)
                        .where(MessageTable.SESSION_ID.eq(value(MessageTable.SESSION_ID)))
                        .and(MessageTable.SEQ.eq(value(MessageTable.SEQ))));
        String earlier = sql(
                "messages.before",
                dsl -> messages(dsl)
                        .where(MessageTable.SESSION_ID.eq(value(MessageTable.SESSION_ID)))
                        .and(MessageTable.SEQ.lt(value(MessageTable.SEQ)))
                        .and(ACTIVE)
                        .orderBy(MessageTable.SEQ.desc())
                        .limit(value(LIMIT)));
        String later = sql(
                "messages.after",
                dsl -> messages(dsl)
                        .where(MessageTable.SESSION_ID.eq(value(MessageTable.SESSION_ID)))
                        .and(MessageTable.SEQ.gt(value(MessageTable.SEQ)))
                        .and(ACTIVE)
                        .orderBy(MessageTable.SEQ)
                        .limit(value(LIMIT)));
        return reader.read(statements -> {
            List<StoredMessage> middle = list(statements, itself, session.value(), sequence);
            if (middle.isEmpty()) {
                return List.of();
            }
            List<StoredMessage> found =
                    new ArrayList<>(turned(list(statements, earlier, session.value(), sequence, Math.max(0, before))));
            found.addAll(middle);
            found.addAll(list(statements, later, session.value(), sequence, Math.max(0, after)));
            return List.copyOf(found);
        });
    }

    @Override
    public long count(SessionId session) {
        String sql = sql(
                "messages.count",
                dsl -> dsl.selectCount()
                        .from(MessageTable.TABLE)
                        .where(MessageTable.SESSION_ID.eq(value(MessageTable.SESSION_ID)))
                        .and(ACTIVE));
        return reader.one(statements -> statements.number(sql, session.value()));
    }

    @Override
    public long countAll() {
        String sql = sql("messages.countAll", dsl -> dsl.selectCount().from(MessageTable.TABLE));
        return reader.one(statements -> statements.number(sql));
    }

    @Override
    public void forEach(Consumer<StoredMessage> each) {
        String sql = sql("messages.every", dsl -> messages(dsl).orderBy(MessageTable.SEQ));
        reader.scan(statements -> {
            statements.each(sql, row -> each.accept(MessageRow.read(row)));
            return true;
        });
    }

    private static SelectJoinStep<Record> messages(DSLContext dsl) {
        return dsl.select(MessageTable.ALL).from(MessageTable.TABLE);
    }

    private static List<StoredMessage> list(Statements statements, String sql, @Nullable Object... values)
            throws SQLException {
        return statements.list(sql, MessageRow::read, values);
    }

    private static List<StoredMessage> turned(List<StoredMessage> messages) {
        List<StoredMessage> turned = new ArrayList<>(messages);
        Collections.reverse(turned);
        return List.copyOf(turned);
    }

    private String sql(String name, Function<DSLContext, ? extends Query> statement) {
        return reader.sql(name, statement);
    }
}
