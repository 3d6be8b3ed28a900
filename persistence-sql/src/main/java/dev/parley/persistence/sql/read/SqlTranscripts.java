package dev.parley.persistence.sql.read;

import static dev.parley.persistence.sql.statement.Renderer.value;

import dev.parley.application.port.Transcripts;
import dev.parley.domain.session.SessionId;
import dev.parley.domain.transcript.StoredMessage;
import dev.parley.persistence.sql.statement.Queries;
import dev.parley.persistence.sql.statement.Row;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jooq.Condition;
import org.jooq.DSLContext;
import org.jooq.Field;
import org.jooq.Query;
import org.jooq.Record;
import org.jooq.SelectConditionStep;
import org.jooq.SelectSeekStep1;
import org.jooq.SelectWhereStep;
import org.jooq.Table;
import org.jooq.impl.DSL;
import org.jooq.impl.SQLDataType;
import org.jspecify.annotations.Nullable;

/** Reads messages, always in the order of their rows (storage 4.3). A database says how it holds them. */
public abstract class SqlTranscripts implements Transcripts {
    private static final Field<Long> LIMIT = DSL.field("limit", SQLDataType.BIGINT);

    private final RowReader reader;
    private final Columns columns;

    /**
     * Reads through this reader.
     *
     * @param reader runs the reads
     * @param columns what the database calls things
     */
    protected SqlTranscripts(RowReader reader, Columns columns) {
        this.reader = reader;
        this.columns = columns;
    }

    /**
     * The columns that messages are chosen by.
     *
     * @param table the messages
     * @param sequence the number that rises with each message
     * @param session the session
     * @param role the role
     * @param active holds for a message that belongs to its conversation
     */
    public record Columns(
            Table<Record> table, Field<Long> sequence, Field<String> session, Field<String> role, Condition active) {}

    /** Returns the messages with everything that is read of them. */
    protected abstract SelectWhereStep<Record> messages(DSLContext dsl);

    /** Reads a message; absent where the row is none. */
    protected abstract Optional<StoredMessage> message(Row row) throws SQLException;

    /** Reads a message of this session; absent where the row is none. */
    protected Optional<StoredMessage> message(Row row, SessionId session) throws SQLException {
        return message(row);
    }

    @Override
    public List<StoredMessage> load(SessionId session) {
        String sql = active();
        return reader.statement(statements -> {
            List<StoredMessage> found = listOf(session, statements, sql);
            found.sort(Comparator.comparingLong(StoredMessage::sequence));
            return found;
        });
    }

    /**
     * Returns the statement for the active messages of one session, in any order: they nearly have theirs in whatever way they are found, and
     * a database that sorts them carries their texts along.
     */
    protected final String active() {
        return sql("messages.active", dsl -> ofSession(dsl).and(columns.active));
    }

    @Override
    public List<StoredMessage> loadAll(SessionId session) {
        String sql = sql("messages.all", dsl -> inOrder(ofSession(dsl)));
        return reader.statement(statements -> listOf(session, statements, sql));
    }

    @Override
    public List<StoredMessage> tail(SessionId session, int limit) {
        String sql = sql(
                "messages.tail",
                dsl -> latest(ofSession(dsl).and(columns.active)).limit(value(LIMIT)));
        return turned(reader.statement(statements -> listOf(session, statements, sql, Math.max(0, limit))));
    }

    @Override
    public List<StoredMessage> recentUserMessages(SessionId session, int limit) {
        String sql = sql(
                "messages.users",
                dsl -> latest(ofSession(dsl)
                                .and(columns.role.eq(DSL.inline("user")))
                                .and(columns.active))
                        .limit(value(LIMIT)));
        return reader.statement(statements -> listOf(session, statements, sql, Math.max(0, limit)));
    }

    @Override
    public List<StoredMessage> around(SessionId session, long sequence, int before, int after) {
        String itself = sql("messages.one", dsl -> ofSession(dsl).and(columns.sequence.eq(value(columns.sequence))));
        String earlier = sql(
                "messages.before",
                dsl -> latest(ofSession(dsl)
                                .and(columns.sequence.lt(value(columns.sequence)))
                                .and(columns.active))
                        .limit(value(LIMIT)));
        String later = sql(
                "messages.after",
                dsl -> inOrder(ofSession(dsl)
                                .and(columns.sequence.gt(value(columns.sequence)))
                                .and(columns.active))
                        .limit(value(LIMIT)));
        return reader.snapshot(statements -> {
            List<StoredMessage> middle = listOf(session, statements, itself, sequence);
            if (middle.isEmpty()) {
                return List.of();
            }
            List<StoredMessage> found =
                    new ArrayList<>(turned(listOf(session, statements, earlier, sequence, Math.max(0, before))));
            found.addAll(middle);
            found.addAll(listOf(session, statements, later, sequence, Math.max(0, after)));
            return List.copyOf(found);
        });
    }

    @Override
    public long count(SessionId session) {
        String sql = sql(
                "messages.count",
                dsl -> dsl.selectCount()
                        .from(columns.table)
                        .where(columns.session.eq(value(columns.session)))
                        .and(columns.active));
        return reader.statement(statements -> statements.number(sql, session.value()));
    }

    @Override
    public long countAll() {
        String sql = sql("messages.countAll", dsl -> dsl.selectCount().from(columns.table));
        return reader.statement(statements -> statements.number(sql));
    }

    @Override
    public void forEach(Consumer<StoredMessage> each) {
        String sql = sql("messages.every", dsl -> messages(dsl).orderBy(columns.sequence));
        reader.walk(statements -> {
            statements.each(sql, row -> message(row).ifPresent(each));
            return true;
        });
    }

    private SelectConditionStep<Record> ofSession(DSLContext dsl) {
        return messages(dsl).where(columns.session.eq(value(columns.session)));
    }

    private SelectSeekStep1<Record, Long> inOrder(SelectConditionStep<Record> chosen) {
        return chosen.orderBy(columns.sequence);
    }

    private SelectSeekStep1<Record, Long> latest(SelectConditionStep<Record> chosen) {
        return chosen.orderBy(columns.sequence.desc());
    }

    /** Returns the messages that a statement finds, in its order. */
    protected final List<StoredMessage> list(Queries statements, String sql, @Nullable Object... values)
            throws SQLException {
        List<StoredMessage> found = new ArrayList<>();
        statements.each(sql, row -> message(row).ifPresent(found::add), values);
        return found;
    }

    /** Returns the messages of a session that a statement finds, in its order; it takes the session first, then the values. */
    protected final List<StoredMessage> listOf(
            SessionId session, Queries statements, String sql, @Nullable Object... values) throws SQLException {
        List<StoredMessage> found = new ArrayList<>();
        @Nullable Object[] bound = new @Nullable Object[values.length + 1];
        bound[0] = session.value();
        System.arraycopy(values, 0, bound, 1, values.length);
        statements.each(sql, row -> message(row, session).ifPresent(found::add), bound);
        return found;
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
