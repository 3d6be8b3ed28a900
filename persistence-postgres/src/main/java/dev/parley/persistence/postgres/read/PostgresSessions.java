package dev.parley.persistence.postgres.read;

import static dev.parley.persistence.sql.statement.Renderer.value;

import dev.parley.application.port.Cursor;
import dev.parley.application.port.Page;
import dev.parley.application.port.SessionListing;
import dev.parley.application.port.SessionQuery;
import dev.parley.application.port.SessionStatistics;
import dev.parley.application.port.Sessions;
import dev.parley.domain.key.SessionKey;
import dev.parley.domain.session.Session;
import dev.parley.domain.session.SessionId;
import dev.parley.domain.usage.TokenUsage;
import dev.parley.domain.usage.UsageSlot;
import dev.parley.persistence.postgres.row.SessionRow;
import dev.parley.persistence.postgres.statement.Statements;
import dev.parley.persistence.postgres.table.MessageTable;
import dev.parley.persistence.postgres.table.SessionTables;
import dev.parley.persistence.postgres.table.SessionTables.Use;
import dev.parley.persistence.sql.read.Likes;
import dev.parley.persistence.sql.row.SessionIds;
import dev.parley.persistence.sql.row.UsageRow;
import dev.parley.persistence.sql.statement.Renderer;
import dev.parley.persistence.sql.statement.Row;
import dev.parley.persistence.sql.statement.Time;
import dev.parley.persistence.sql.table.QueueTables.UsageSlots;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jooq.DSLContext;
import org.jooq.Field;
import org.jooq.Query;
import org.jooq.Record;
import org.jooq.SelectField;
import org.jooq.SelectOnConditionStep;
import org.jooq.impl.DSL;
import org.jooq.impl.SQLDataType;
import org.jspecify.annotations.Nullable;

/** Reads sessions. */
public final class PostgresSessions implements Sessions {
    private static final Field<Long> LIMIT = DSL.field("limit", SQLDataType.BIGINT);
    private static final Field<Long> HOW_MANY = DSL.field(DSL.name("how_many"), SQLDataType.BIGINT);

    private final Reader reader;
    private final SessionLists lists;

    /** Reads through this reader. */
    public PostgresSessions(Reader reader, Renderer renderer) {
        this.reader = reader;
        this.lists = new SessionLists(renderer);
    }

    /** Begins a select of sessions, of both tables. */
    static SelectOnConditionStep<Record> sessions(DSLContext dsl) {
        return dsl.select(SessionRow.READ)
                .from(SessionTables.Sessions.TABLE)
                .join(Use.TABLE)
                .on(Use.SESSION_ID.eq(SessionTables.Sessions.ID));
    }

    @Override
    public Optional<Session> find(SessionId id) {
        String sql = sql(
                "sessions.find",
                dsl -> sessions(dsl).where(SessionTables.Sessions.ID.eq(value(SessionTables.Sessions.ID))));
        return reader.one(statements -> statements.first(sql, SessionRow::read, id.value()));
    }

    @Override
    public List<SessionListing> list(SessionQuery query) {
        return reader.one(statements -> lists.list(statements, query));
    }

    @Override
    public Page<SessionListing> page(SessionQuery query, Optional<Cursor> after) {
        return reader.read(statements -> lists.page(statements, query, after));
    }

    @Override
    public void forEach(Consumer<Session> each) {
        String sql = sql(
                "sessions.every",
                dsl -> sessions(dsl).orderBy(SessionTables.Sessions.STARTED_AT, SessionTables.Sessions.ID));
        reader.scan(statements -> {
            statements.each(sql, row -> each.accept(SessionRow.read(row)));
            return true;
        });
    }

    @Override
    public long count(Optional<String> source) {
        Optional<String> only = source.filter(s -> !s.isEmpty());
        if (only.isEmpty()) {
            String sql = sql("sessions.count", dsl -> dsl.selectCount().from(SessionTables.Sessions.TABLE));
            return reader.one(statements -> statements.number(sql));
        }
        String sql = sql(
                "sessions.count.source",
                dsl -> dsl.selectCount()
                        .from(SessionTables.Sessions.TABLE)
                        .where(SessionTables.Sessions.SOURCE.eq(value(SessionTables.Sessions.SOURCE))));
        return reader.one(statements -> statements.number(sql, only.get()));
    }

    @Override
    public Optional<Session> findByTitle(String title) {
        String sql = sql(
                "sessions.titled",
                dsl -> sessions(dsl)
                        .where(SessionTables.Sessions.TITLE.eq(value(SessionTables.Sessions.TITLE)))
                        .orderBy(SessionTables.Sessions.ID)
                        .limit(DSL.inline(1)));
        return reader.one(statements -> statements.first(sql, SessionRow::read, title));
    }

    /** Walks the titles: an index in binary order cannot answer without regard to case. */
    @Override
    public List<Session> titledLike(String base) {
        String sql = sql(
                "sessions.lineage",
                dsl -> sessions(dsl)
                        .where(SessionTables.Sessions.TITLE
                                .eq(value(SessionTables.Sessions.TITLE))
                                .or(Likes.like(SessionTables.Sessions.TITLE, value(SessionTables.Sessions.TITLE))))
                        .orderBy(SessionTables.Sessions.STARTED_AT.desc(), SessionTables.Sessions.ID.desc()));
        String plain = base;
        return reader.one(statements -> list(statements, sql, plain, Likes.prefix(plain + " #")));
    }

    /** Walks the ids: an index in binary order cannot answer without regard to case. */
    @Override
    public List<Session> withIdPrefix(String prefix, int limit) {
        String sql = sql(
                "sessions.prefixed",
                dsl -> sessions(dsl)
                        .where(Likes.like(SessionTables.Sessions.ID, value(SessionTables.Sessions.ID)))
                        .orderBy(SessionTables.Sessions.ID)
                        .limit(value(LIMIT)));
        return reader.one(statements -> list(statements, sql, Likes.prefix(prefix), Math.max(0, limit)));
    }

    @Override
    public List<Session> childrenOf(SessionId id) {
        String sql = sql(
                "sessions.children",
                dsl -> sessions(dsl)
                        .where(SessionTables.Sessions.PARENT.eq(value(SessionTables.Sessions.PARENT)))
                        .orderBy(SessionTables.Sessions.STARTED_AT.desc(), SessionTables.Sessions.ID.desc()));
        return reader.one(statements -> list(statements, sql, id.value()));
    }

    @Override
    public List<Session> ofLane(SessionKey key, int limit) {
        String sql = sql(
                "sessions.lane",
                dsl -> sessions(dsl)
                        .where(SessionTables.Sessions.LANE.eq(value(SessionTables.Sessions.LANE)))
                        .orderBy(SessionTables.Sessions.STARTED_AT.desc(), SessionTables.Sessions.ID.desc())
                        .limit(value(LIMIT)));
        return reader.one(statements -> list(statements, sql, key.value(), Math.max(0, limit)));
    }

    @Override
    public List<SessionId> endedBefore(Instant before, Optional<String> source) {
        boolean all = source.filter(s -> !s.isEmpty()).isEmpty();
        String sql = sql(
                all ? "sessions.ended" : "sessions.ended.source",
                dsl -> dsl.select(SessionTables.Sessions.ID)
                        .from(SessionTables.Sessions.TABLE)
                        .where(SessionTables.Sessions.ENDED_AT.isNotNull())
                        .and(SessionTables.Sessions.STARTED_AT.lt(value(SessionTables.Sessions.STARTED_AT)))
                        .and(
                                all
                                        ? DSL.noCondition()
                                        : SessionTables.Sessions.SOURCE.eq(value(SessionTables.Sessions.SOURCE)))
                        .orderBy(SessionTables.Sessions.ID));
        @Nullable
        Object[] values = all
                ? new @Nullable Object[] {Time.nanos(before)}
                : new @Nullable Object[] {Time.nanos(before), source.orElse("")};
        return reader.one(statements -> {
            List<SessionId> ids = new ArrayList<>();
            statements.each(
                    sql,
                    row -> SessionIds.read(row.optional(SessionTables.Sessions.ID))
                            .ifPresent(ids::add),
                    values);
            return List.copyOf(ids);
        });
    }

    @Override
    public List<UsageSlot> usage(Instant from, Instant to) {
        String sql = sql(
                "usage.between",
                dsl -> dsl.select(UsageSlots.ALL)
                        .from(UsageSlots.TABLE)
                        .where(UsageSlots.SLOT.ge(value(UsageSlots.SLOT)))
                        .and(UsageSlots.SLOT.lt(value(UsageSlots.SLOT)))
                        .orderBy(UsageSlots.SLOT, UsageSlots.SOURCE, UsageSlots.MODEL));
        return reader.one(statements -> statements.list(sql, UsageRow::read, Time.nanos(from), Time.nanos(to)));
    }

    @Override
    public SessionStatistics statistics() {
        String totals = sql("statistics.total", dsl -> dsl.select(sums()).from(Use.TABLE));
        String models = sql(
                "statistics.models",
                dsl -> dsl.select(sums())
                        .select(SessionTables.Sessions.MODEL)
                        .from(SessionTables.Sessions.TABLE)
                        .join(Use.TABLE)
                        .on(Use.SESSION_ID.eq(SessionTables.Sessions.ID))
                        .where(SessionTables.Sessions.MODEL.isNotNull())
                        .groupBy(SessionTables.Sessions.MODEL)
                        .orderBy(
                                DSL.coalesce(DSL.sum(Use.ESTIMATED_COST_USD), DSL.inline(0))
                                        .desc(),
                                SessionTables.Sessions.MODEL));
        String messages = sql("messages.countAll", dsl -> dsl.selectCount().from(MessageTable.TABLE));
        return reader.read(statements -> {
            List<SessionStatistics.ModelUsage> usage = statements.list(
                    models,
                    row -> new SessionStatistics.ModelUsage(
                            row.text(SessionTables.Sessions.MODEL),
                            row.number(HOW_MANY),
                            SessionRow.tokens(row),
                            cost(row)));
            long count = statements.number(messages);
            return statements
                    .first(
                            totals,
                            row -> new SessionStatistics(
                                    row.number(HOW_MANY), count, SessionRow.tokens(row), cost(row), usage))
                    .orElseGet(() -> new SessionStatistics(0, count, TokenUsage.NONE, Optional.empty(), usage));
        });
    }

    private static List<SelectField<?>> sums() {
        List<SelectField<?>> sums = new ArrayList<>();
        sums.add(DSL.count().as(HOW_MANY));
        for (Field<Long> tokens : List.of(
                Use.INPUT_TOKENS,
                Use.OUTPUT_TOKENS,
                Use.CACHE_READ_TOKENS,
                Use.CACHE_WRITE_TOKENS,
                Use.REASONING_TOKENS)) {
            sums.add(DSL.field("least(coalesce(sum({0}), 0), 9223372036854775807)::bigint", SQLDataType.BIGINT, tokens)
                    .as(tokens.getName()));
        }
        sums.add(DSL.sum(Use.ESTIMATED_COST_USD).as(Use.ESTIMATED_COST_USD.getName()));
        return sums;
    }

    private static Optional<Double> cost(Row row) throws SQLException {
        OptionalDouble cost = row.optionalReal(Use.ESTIMATED_COST_USD);
        return cost.isPresent() ? Optional.of(cost.getAsDouble()) : Optional.empty();
    }

    private static List<Session> list(Statements statements, String sql, @Nullable Object... values)
            throws SQLException {
        return statements.list(sql, SessionRow::read, values);
    }

    private String sql(String name, Function<DSLContext, ? extends Query> statement) {
        return reader.sql(name, statement);
    }
}
