package dev.parley.persistence.sqlite.read;

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
import dev.parley.domain.text.Unicode;
import dev.parley.domain.usage.TokenUsage;
import dev.parley.domain.usage.UsageSlot;
import dev.parley.persistence.sql.read.Likes;
import dev.parley.persistence.sql.row.SessionIds;
import dev.parley.persistence.sql.row.UsageRow;
import dev.parley.persistence.sql.statement.Row;
import dev.parley.persistence.sql.statement.Time;
import dev.parley.persistence.sql.table.QueueTables.UsageSlots;
import dev.parley.persistence.sqlite.row.SessionRow;
import dev.parley.persistence.sqlite.statement.Seconds;
import dev.parley.persistence.sqlite.statement.Statements;
import dev.parley.persistence.sqlite.table.ExtraTables;
import dev.parley.persistence.sqlite.table.MessageTable;
import dev.parley.persistence.sqlite.table.SessionTable;
import java.math.BigInteger;
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
public final class SqliteSessions implements Sessions {
    private static final Field<Long> LIMIT = DSL.field("limit", SQLDataType.BIGINT);
    /** Sums are made of the upper and the lower bits of each number: so many are lower. */
    private static final int HALF = 31;

    private static final long LOWER = (1L << HALF) - 1;
    private static final Field<Long> HOW_MANY = DSL.field(DSL.name("how_many"), SQLDataType.BIGINT);

    private final Reader reader;
    private final SessionLists lists;

    /** Reads through this reader. */
    public SqliteSessions(Reader reader, SessionLists lists) {
        this.reader = reader;
        this.lists = lists;
    }

    /** Begins a select of sessions with what Parley keeps beside them. */
    static SelectOnConditionStep<Record> sessions(DSLContext dsl) {
        return dsl.select(SessionRow.READ)
                .from(SessionTable.TABLE)
                .leftJoin(ExtraTables.Sessions.TABLE)
                .on(ExtraTables.Sessions.SESSION_ID.eq(SessionTable.ID));
    }

    @Override
    public Optional<Session> find(SessionId id) {
        String sql = sql("sessions.find", dsl -> sessions(dsl).where(SessionTable.ID.eq(value(SessionTable.ID))));
        return reader.read(statements -> statements.first(sql, SessionRow::read, id.value()))
                .flatMap(found -> found);
    }

    @Override
    public List<SessionListing> list(SessionQuery query) {
        return reader.read(statements -> lists.list(statements, query));
    }

    /**
     * {@inheritDoc} By activity, a session from which other software has taken messages away stands where it stood with them, until
     * something is written to it here.
     */
    @Override
    public Page<SessionListing> page(SessionQuery query, Optional<Cursor> after) {
        return reader.read(statements -> lists.page(statements, query, after))
                .orElseGet(() -> Sessions.super.page(query, after));
    }

    @Override
    public void forEach(Consumer<Session> each) {
        String sql = sql("sessions.every", dsl -> sessions(dsl).orderBy(SessionTable.STARTED_AT, SessionTable.ID));
        reader.read(statements -> {
            statements.each(sql, row -> SessionRow.read(row).ifPresent(each));
            return true;
        });
    }

    @Override
    public List<String> unusableIds(Optional<String> source) {
        String only = source.map(Unicode::wellFormed).orElse("");
        String sql = sql(
                "sessions.ids",
                dsl -> dsl.select(SessionTable.ID, SessionTable.SOURCE)
                        .from(SessionTable.TABLE)
                        .orderBy(SessionTable.ID));
        return reader.read(statements -> {
            List<String> ids = new ArrayList<>();
            statements.each(sql, row -> {
                String id = row.text(SessionTable.ID);
                if (!SessionId.isSafe(id) && (only.isEmpty() || only.equals(row.text(SessionTable.SOURCE)))) {
                    ids.add(id);
                }
            });
            return List.copyOf(ids);
        });
    }

    @Override
    public long count(Optional<String> source) {
        Optional<String> only = source.filter(s -> !s.isEmpty());
        if (only.isEmpty()) {
            String sql = sql("sessions.count", dsl -> dsl.selectCount().from(SessionTable.TABLE));
            return reader.read(statements -> statements.number(sql));
        }
        String sql = sql(
                "sessions.count.source",
                dsl -> dsl.selectCount()
                        .from(SessionTable.TABLE)
                        .where(SessionTable.SOURCE.eq(value(SessionTable.SOURCE))));
        return reader.read(statements -> statements.number(sql, Unicode.wellFormed(only.get())));
    }

    @Override
    public Optional<Session> findByTitle(String title) {
        String sql = sql(
                "sessions.titled",
                dsl -> sessions(dsl)
                        .where(SessionTable.TITLE.eq(value(SessionTable.TITLE)))
                        .orderBy(SessionTable.ID)
                        .limit(DSL.inline(1)));
        return reader.read(statements -> statements.first(sql, SessionRow::read, Unicode.wellFormed(title)))
                .flatMap(found -> found);
    }

    /** Walks the titles: an index in binary order cannot answer without regard to case. */
    @Override
    public List<Session> titledLike(String base) {
        String sql = sql(
                "sessions.lineage",
                dsl -> sessions(dsl)
                        .where(SessionTable.TITLE
                                .eq(value(SessionTable.TITLE))
                                .or(Likes.like(SessionTable.TITLE, value(SessionTable.TITLE))))
                        .orderBy(SessionTable.STARTED_AT.desc(), SessionTable.ID.desc()));
        String plain = Unicode.wellFormed(base);
        return reader.read(statements -> list(statements, sql, plain, Likes.prefix(plain + " #")));
    }

    /** Walks the ids: an index in binary order cannot answer without regard to case. */
    @Override
    public List<Session> withIdPrefix(String prefix, int limit) {
        String sql = sql(
                "sessions.prefixed",
                dsl -> sessions(dsl)
                        .where(Likes.like(SessionTable.ID, value(SessionTable.ID)))
                        .orderBy(SessionTable.ID)
                        .limit(value(LIMIT)));
        return reader.read(
                statements -> list(statements, sql, Likes.prefix(Unicode.wellFormed(prefix)), Math.max(0, limit)));
    }

    @Override
    public List<Session> childrenOf(SessionId id) {
        String sql = sql(
                "sessions.children",
                dsl -> sessions(dsl)
                        .where(SessionTable.PARENT_SESSION_ID.eq(value(SessionTable.PARENT_SESSION_ID)))
                        .orderBy(SessionTable.STARTED_AT.desc(), SessionTable.ID.desc()));
        return reader.read(statements -> list(statements, sql, id.value()));
    }

    @Override
    public List<Session> ofLane(SessionKey key, int limit) {
        String sql = sql(
                "sessions.lane",
                dsl -> sessions(dsl)
                        .where(ExtraTables.Sessions.LANE.eq(value(ExtraTables.Sessions.LANE)))
                        .orderBy(SessionTable.STARTED_AT.desc(), SessionTable.ID.desc())
                        .limit(value(LIMIT)));
        return reader.read(statements -> list(statements, sql, Unicode.wellFormed(key.value()), Math.max(0, limit)));
    }

    @Override
    public List<SessionId> endedBefore(Instant before, Optional<String> source) {
        boolean all = source.filter(s -> !s.isEmpty()).isEmpty();
        String sql = sql(
                all ? "sessions.ended" : "sessions.ended.source",
                dsl -> dsl.select(SessionTable.ID)
                        .from(SessionTable.TABLE)
                        .where(SessionTable.ENDED_AT.isNotNull())
                        .and(SessionTable.STARTED_AT.lt(value(SessionTable.STARTED_AT)))
                        .and(all ? DSL.noCondition() : SessionTable.SOURCE.eq(value(SessionTable.SOURCE)))
                        .orderBy(SessionTable.ID));
        @Nullable
        Object[] values = all
                ? new @Nullable Object[] {Seconds.write(before)}
                : new @Nullable Object[] {Seconds.write(before), Unicode.wellFormed(source.orElse(""))};
        return reader.read(statements -> {
            List<SessionId> ids = new ArrayList<>();
            statements.each(
                    sql, row -> SessionIds.read(row.optional(SessionTable.ID)).ifPresent(ids::add), values);
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
        return reader.one(
                UsageSlots.TABLE, statements -> statements.list(sql, UsageRow::read, Time.nanos(from), Time.nanos(to)));
    }

    @Override
    public SessionStatistics statistics() {
        String totals = sql("statistics.total", dsl -> dsl.select(sums()).from(SessionTable.TABLE));
        String models = sql(
                "statistics.models",
                dsl -> dsl.select(sums())
                        .select(SessionTable.MODEL)
                        .from(SessionTable.TABLE)
                        .where(SessionTable.MODEL.isNotNull())
                        .groupBy(SessionTable.MODEL)
                        .orderBy(
                                DSL.coalesce(DSL.sum(SessionTable.ESTIMATED_COST_USD), DSL.inline(0))
                                        .desc(),
                                SessionTable.MODEL));
        String messages = sql("messages.countAll", dsl -> dsl.selectCount().from(MessageTable.TABLE));
        return reader.read(statements -> {
            List<SessionStatistics.ModelUsage> usage = statements.list(
                    models,
                    row -> new SessionStatistics.ModelUsage(
                            row.text(SessionTable.MODEL), row.number(HOW_MANY), tokens(row), cost(row)));
            long count = statements.number(messages);
            return statements
                    .first(
                            totals,
                            row -> new SessionStatistics(row.number(HOW_MANY), count, tokens(row), cost(row), usage))
                    .orElseGet(() -> new SessionStatistics(0, count, TokenUsage.NONE, Optional.empty(), usage));
        });
    }

    private static List<SelectField<?>> sums() {
        List<SelectField<?>> sums = new ArrayList<>();
        sums.add(DSL.count().as(HOW_MANY));
        for (Field<Long> tokens : List.of(
                SessionTable.INPUT_TOKENS,
                SessionTable.OUTPUT_TOKENS,
                SessionTable.CACHE_READ_TOKENS,
                SessionTable.CACHE_WRITE_TOKENS,
                SessionTable.REASONING_TOKENS)) {
            sums.add(DSL.sum(DSL.shr(tokens, DSL.inline(HALF))).as(tokens.getName()));
            sums.add(DSL.sum(DSL.bitAnd(tokens, DSL.inline(LOWER)))
                    .as(lower(tokens).getName()));
        }
        sums.add(DSL.sum(SessionTable.ESTIMATED_COST_USD).as(SessionTable.ESTIMATED_COST_USD.getName()));
        return sums;
    }

    private static TokenUsage tokens(Row row) throws SQLException {
        return new TokenUsage(
                sum(row, SessionTable.INPUT_TOKENS),
                sum(row, SessionTable.OUTPUT_TOKENS),
                sum(row, SessionTable.CACHE_READ_TOKENS),
                sum(row, SessionTable.CACHE_WRITE_TOKENS),
                sum(row, SessionTable.REASONING_TOKENS));
    }

    /** The database refuses a sum that runs over; those of halves do not, and what is too large stays at the greatest number. */
    private static long sum(Row row, Field<Long> tokens) throws SQLException {
        BigInteger sum = BigInteger.valueOf(row.number(tokens))
                .shiftLeft(HALF)
                .add(BigInteger.valueOf(row.number(lower(tokens))));
        return sum.max(BigInteger.ZERO).min(BigInteger.valueOf(Long.MAX_VALUE)).longValueExact();
    }

    private static Field<Long> lower(Field<Long> tokens) {
        return DSL.field(DSL.name(tokens.getName() + "_lower"), SQLDataType.BIGINT);
    }

    private static Optional<Double> cost(Row row) throws SQLException {
        OptionalDouble cost = row.optionalReal(SessionTable.ESTIMATED_COST_USD);
        return cost.isPresent() ? Optional.of(cost.getAsDouble()) : Optional.empty();
    }

    private static List<Session> list(Statements statements, String sql, @Nullable Object... values)
            throws SQLException {
        List<Session> sessions = new ArrayList<>();
        statements.each(sql, row -> SessionRow.read(row).ifPresent(sessions::add), values);
        return sessions;
    }

    private String sql(String name, Function<DSLContext, ? extends Query> statement) {
        return reader.renderer().sql(name, statement);
    }
}
