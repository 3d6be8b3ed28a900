package dev.parley.persistence.sqlite.read;

import static dev.parley.persistence.sql.statement.Renderer.value;

import dev.parley.application.port.Transcripts;
import dev.parley.domain.session.SessionId;
import dev.parley.domain.transcript.StoredMessage;
import dev.parley.persistence.sqlite.row.MessageRow;
import dev.parley.persistence.sqlite.statement.Statements;
import dev.parley.persistence.sqlite.table.ExtraTables.Messages;
import dev.parley.persistence.sqlite.table.MessageTable;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jooq.Condition;
import org.jooq.DSLContext;
import org.jooq.Field;
import org.jooq.Query;
import org.jooq.Record;
import org.jooq.SelectOnConditionStep;
import org.jooq.impl.DSL;
import org.jooq.impl.SQLDataType;
import org.jspecify.annotations.Nullable;

/** Reads messages, always in the order of their rows (storage 4.3). */
public final class SqliteTranscripts implements Transcripts {
    private static final Field<Long> LIMIT = DSL.field("limit", SQLDataType.BIGINT);
    private static final Condition ACTIVE = MessageTable.ACTIVE.isNull().or(MessageTable.ACTIVE.ne(DSL.inline(0L)));

    private final Reader reader;

    /** Reads through this reader. */
    public SqliteTranscripts(Reader reader) {
        this.reader = reader;
    }

    @Override
    public List<StoredMessage> load(SessionId session) {
        String sql = sql(
                "messages.active",
                dsl -> messages(dsl)
                        .where(MessageTable.SESSION_ID.eq(value(MessageTable.SESSION_ID)))
                        .and(ACTIVE)
                        .orderBy(MessageTable.ID));
        return reader.read(statements -> list(statements, sql, session.value()));
    }

    @Override
    public List<StoredMessage> loadAll(SessionId session) {
        String sql = sql(
                "messages.all",
                dsl -> messages(dsl)
                        .where(MessageTable.SESSION_ID.eq(value(MessageTable.SESSION_ID)))
                        .orderBy(MessageTable.ID));
        return reader.read(statements -> list(statements, sql, session.value()));
    }

    @Override
    public List<StoredMessage> load(Collection<SessionId> sessions) {
        String sql = sql(
                "messages.active",
                dsl -> messages(dsl)
                        .where(MessageTable.SESSION_ID.eq(value(MessageTable.SESSION_ID)))
                        .and(ACTIVE)
                        .orderBy(MessageTable.ID));
        return reader.read(statements -> {
            TreeMap<Long, StoredMessage> inOrder = new TreeMap<>();
            for (SessionId session : new LinkedHashSet<>(sessions)) {
                list(statements, sql, session.value()).forEach(message -> inOrder.put(message.sequence(), message));
            }
            return List.copyOf(inOrder.values());
        });
    }

    @Override
    public List<StoredMessage> tail(SessionId session, int limit) {
        String sql = sql(
                "messages.tail",
                dsl -> messages(dsl)
                        .where(MessageTable.SESSION_ID.eq(value(MessageTable.SESSION_ID)))
                        .and(ACTIVE)
                        .orderBy(MessageTable.ID.desc())
                        .limit(value(LIMIT)));
        return turned(reader.read(statements -> list(statements, sql, session.value(), Math.max(0, limit))));
    }

    @Override
    public List<StoredMessage> recentUserMessages(SessionId session, int limit) {
        String sql = sql(
                "messages.users",
                dsl -> messages(dsl)
                        .where(MessageTable.SESSION_ID.eq(value(MessageTable.SESSION_ID)))
                        .and(MessageTable.ROLE.eq(DSL.inline("user")))
                        .and(ACTIVE)
                        .orderBy(MessageTable.ID.desc())
                        .limit(value(LIMIT)));
        return reader.read(statements -> list(statements, sql, session.value(), Math.max(0, limit)));
    }

    @Override
    public List<StoredMessage> around(SessionId session, long sequence, int before, int after) {
        String itself = sql(
                "messages.one",
                dsl -> messages(dsl)
                        .where(MessageTable.SESSION_ID.eq(value(MessageTable.SESSION_ID)))
                        .and(MessageTable.ID.eq(value(MessageTable.ID))));
        String earlier = sql(
                "messages.before",
                dsl -> messages(dsl)
                        .where(MessageTable.SESSION_ID.eq(value(MessageTable.SESSION_ID)))
                        .and(MessageTable.ID.lt(value(MessageTable.ID)))
                        .and(ACTIVE)
                        .orderBy(MessageTable.ID.desc())
                        .limit(value(LIMIT)));
        String later = sql(
                "messages.after",
                dsl -> messages(dsl)
                        .where(MessageTable.SESSION_ID.eq(value(MessageTable.SESSION_ID)))
                        .and(MessageTable.ID.gt(value(MessageTable.ID)))
                        .and(ACTIVE)
                        .orderBy(MessageTable.ID)
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
        return reader.read(statements -> statements.number(sql, session.value()));
    }

    @Override
    public long countAll() {
        String sql = sql("messages.countAll", dsl -> dsl.selectCount().from(MessageTable.TABLE));
        return reader.read(statements -> statements.number(sql));
    }

    @Override
    public void forEach(Consumer<StoredMessage> each) {
        String sql = sql("messages.every", dsl -> messages(dsl).orderBy(MessageTable.ID));
        reader.read(statements -> {
            statements.each(sql, row -> MessageRow.read(row).ifPresent(each));
            return true;
        });
    }

    private static SelectOnConditionStep<Record> messages(DSLContext dsl) {
        return dsl.select(MessageRow.READ)
                .from(MessageTable.TABLE)
                .leftJoin(Messages.TABLE)
                .on(Messages.MESSAGE_ROW.eq(MessageTable.ID))
                .and(Messages.SESSION_ID.eq(MessageTable.SESSION_ID));
    }

    private static List<StoredMessage> list(Statements statements, String sql, @Nullable Object... values)
            throws SQLException {
        List<StoredMessage> messages = new ArrayList<>();
        statements.each(sql, row -> MessageRow.read(row).ifPresent(messages::add), values);
        return messages;
    }

    private static List<StoredMessage> turned(List<StoredMessage> messages) {
        List<StoredMessage> turned = new ArrayList<>(messages);
        Collections.reverse(turned);
        return List.copyOf(turned);
    }

    private String sql(String name, Function<DSLContext, ? extends Query> statement) {
        return reader.renderer().sql(name, statement);
    }
}
