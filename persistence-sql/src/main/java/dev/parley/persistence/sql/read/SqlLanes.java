package dev.parley.persistence.sql.read;

import static dev.parley.persistence.sql.statement.Renderer.value;

import dev.parley.application.port.Cursor;
import dev.parley.application.port.EventQuery;
import dev.parley.application.port.InvalidRequest;
import dev.parley.application.port.LaneQuery;
import dev.parley.application.port.Lanes;
import dev.parley.application.port.Page;
import dev.parley.domain.change.LaneEvent;
import dev.parley.domain.key.SessionKey;
import dev.parley.domain.session.Lane;
import dev.parley.domain.session.SessionId;
import dev.parley.domain.turn.Hold;
import dev.parley.domain.turn.LifeId;
import dev.parley.persistence.sql.row.HistoryRow;
import dev.parley.persistence.sql.row.LaneRow;
import dev.parley.persistence.sql.statement.Queries;
import dev.parley.persistence.sql.statement.Time;
import dev.parley.persistence.sql.table.LaneTables;
import dev.parley.persistence.sql.table.LaneTables.History;
import dev.parley.persistence.sql.table.QueueTables.Holds;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jooq.Condition;
import org.jooq.DSLContext;
import org.jooq.Field;
import org.jooq.Query;
import org.jooq.impl.DSL;
import org.jooq.impl.SQLDataType;

/** Reads lanes: one row by its key, however many there are. */
public final class SqlLanes implements Lanes {
    private static final Field<Long> LIMIT = DSL.field("limit", SQLDataType.BIGINT);

    /** So many rows are passed over, or their numbers looked up in the index of times. */
    private static final long FEW = 10_000;

    private final RowReader reader;

    /** Reads through this reader. */
    public SqlLanes(RowReader reader) {
        this.reader = reader;
    }

    @Override
    public void forEach(Consumer<Lane> each) {
        String sql = sql(
                "lanes.all",
                dsl -> dsl.select(LaneTables.Lanes.ALL)
                        .from(LaneTables.Lanes.TABLE)
                        .orderBy(LaneTables.Lanes.LANE));
        reader.walk(statements -> {
            statements.each(sql, row -> each.accept(LaneRow.read(row)));
            return true;
        });
    }

    @Override
    public Optional<Lane> find(SessionKey key) {
        String sql = sql(
                "lanes.find",
                dsl -> dsl.select(LaneTables.Lanes.ALL)
                        .from(LaneTables.Lanes.TABLE)
                        .where(LaneTables.Lanes.LANE.eq(value(LaneTables.Lanes.LANE))));
        return reader.one(LaneTables.Lanes.TABLE, statements -> statements.first(sql, LaneRow::read, key.value()));
    }

    @Override
    public Optional<Lane> findBySession(SessionId session) {
        String sql = sql(
                "lanes.bySession",
                dsl -> dsl.select(LaneTables.Lanes.ALL)
                        .from(LaneTables.Lanes.TABLE)
                        .where(LaneTables.Lanes.SESSION_ID.eq(value(LaneTables.Lanes.SESSION_ID)))
                        .orderBy(LaneTables.Lanes.LANE)
                        .limit(DSL.inline(1)));
        return reader.one(LaneTables.Lanes.TABLE, statements -> statements.first(sql, LaneRow::read, session.value()));
    }

    @Override
    public Hold hold(SessionKey key) {
        String sql = sql(
                "holds.find", dsl -> dsl.select(Holds.ALL).from(Holds.TABLE).where(Holds.LANE.eq(value(Holds.LANE))));
        return reader.one(
                        Holds.TABLE,
                        statements -> statements.first(
                                sql,
                                row -> new Hold(row.optional(Holds.HOLDER).map(LifeId::new), row.number(Holds.TOKEN)),
                                key.value()))
                .orElse(Hold.NONE);
    }

    @Override
    public long count() {
        String sql = sql("lanes.count", dsl -> dsl.selectCount().from(LaneTables.Lanes.TABLE));
        return reader.one(LaneTables.Lanes.TABLE, statements -> statements.number(sql));
    }

    @Override
    public List<LaneEvent> history(SessionKey key, int limit) {
        String sql = sql(
                "history.ofLane",
                dsl -> dsl.select(History.ALL)
                        .from(History.TABLE)
                        .where(History.LANE.eq(value(History.LANE)))
                        .orderBy(History.SEQ.desc())
                        .limit(value(LIMIT)));
        return reader.one(
                History.TABLE, statements -> statements.list(sql, HistoryRow::read, key.value(), Math.max(0, limit)));
    }

    /** Begins at the first row that counts, found by the index of times; rows are appended almost in that order. */
    @Override
    public void forEachEvent(Instant since, Consumer<LaneEvent> each) {
        String sql = sql(
                "history.since",
                dsl -> dsl.select(History.ALL)
                        .from(History.TABLE)
                        .where(History.SEQ.ge(DSL.field(DSL.select(DSL.min(History.SEQ))
                                .from(History.TABLE)
                                .where(History.AT.ge(value(History.AT))))))
                        .and(History.AT.ge(value(History.AT)))
                        .orderBy(History.SEQ));
        long from = Time.nanos(since);
        reader.walk(statements -> {
            statements.each(sql, row -> each.accept(HistoryRow.read(row)), from, from);
            return true;
        });
    }

    /** For a text, the last lane that is looked at is found by the index of times first. */
    @Override
    public Page<Lane> page(LaneQuery query) {
        if (query.text().isEmpty() || query.looks() == Integer.MAX_VALUE) {
            return reader.one(LaneTables.Lanes.TABLE, statements -> page(statements, query, Optional.empty()));
        }
        return reader.snapshot(statements -> page(statements, query, lastLookedAt(statements, query)));
    }

    private Page<Lane> page(Queries statements, LaneQuery query, Optional<Cursor> last) throws SQLException {
        Filter filter = new Filter("lanes.page");
        query.platform().ifPresent(platform -> filter.equal(LaneTables.Lanes.PLATFORM, platform.name()));
        query.standing().ifPresent(stand -> filter.that(stand.name(), standing(stand)));
        query.text()
                .ifPresent(text -> filter.contains(reader, LaneTables.Lanes.LANE, LaneTables.Lanes.DISPLAY_NAME, text));
        after(filter, query);
        last.ifPresent(cursor ->
                filter.upTo(LaneTables.Lanes.UPDATED_AT, Time.nanos(cursor.at()), LaneTables.Lanes.LANE, cursor.id()));
        String sql = sql(
                filter.name(),
                dsl -> dsl.select(LaneTables.Lanes.ALL)
                        .from(LaneTables.Lanes.TABLE)
                        .where(filter.condition())
                        .orderBy(LaneTables.Lanes.UPDATED_AT.desc(), LaneTables.Lanes.LANE.desc())
                        .limit(value(LIMIT)));
        List<Lane> found = statements.list(sql, LaneRow::read, filter.values(query.limit() + 1L));
        Page<Lane> page = Page.of(
                found,
                query.limit(),
                lane -> new Cursor(lane.entry().updatedAt(), lane.key().value()));
        return found.size() > query.limit() ? page : new Page<>(page.rows(), last);
    }

    private static void after(Filter filter, LaneQuery query) {
        query.after()
                .ifPresent(cursor -> filter.before(
                        LaneTables.Lanes.UPDATED_AT, Time.nanos(cursor.at()), LaneTables.Lanes.LANE, cursor.id()));
    }

    /** Absent where no more lanes are left than may be looked at. */
    private Optional<Cursor> lastLookedAt(Queries statements, LaneQuery query) throws SQLException {
        Filter filter = new Filter("lanes.lookedAt");
        after(filter, query);
        String sql = sql(
                filter.name(),
                dsl -> dsl.select(LaneTables.Lanes.UPDATED_AT, LaneTables.Lanes.LANE)
                        .from(LaneTables.Lanes.TABLE)
                        .where(filter.condition())
                        .orderBy(LaneTables.Lanes.UPDATED_AT.desc(), LaneTables.Lanes.LANE.desc())
                        .limit(DSL.inline(1))
                        .offset(value(LIMIT)));
        return statements.first(
                sql,
                row -> new Cursor(
                        Time.ofNanos(row.number(LaneTables.Lanes.UPDATED_AT)), row.text(LaneTables.Lanes.LANE)),
                filter.values(query.looks() - 1L));
    }

    private static Condition standing(LaneQuery.Stand stand) {
        Condition suspended = LaneTables.Lanes.SUSPENDED.eq(DSL.inline(true));
        Condition marked = LaneTables.Lanes.RESUME_PENDING.eq(DSL.inline(true));
        return switch (stand) {
            case SUSPENDED -> suspended;
            case RESUME_PENDING -> marked.andNot(suspended);
            case OPEN -> DSL.not(suspended).andNot(marked);
        };
    }

    /**
     * The order of appending is that of the rows' numbers, which are never used again. It is nearly that of the times, so where a time is
     * asked for, the index of times says between which rows to walk.
     */
    @Override
    public Page<LaneEvent> events(EventQuery query) {
        return query.from().isEmpty() && query.to().isEmpty()
                ? reader.one(History.TABLE, statements -> events(statements, query))
                : reader.snapshot(statements -> events(statements, query));
    }

    private Page<LaneEvent> events(Queries statements, EventQuery query) throws SQLException {
        Filter filter = new Filter("history.page");
        query.lane().ifPresent(lane -> filter.equal(History.LANE, lane.value()));
        filter.oneOf(History.KIND, query.kinds());
        query.reason().ifPresent(reason -> filter.equal(History.REASON, reason));
        query.from().ifPresent(from -> filter.atLeast(History.AT, Time.nanos(from)));
        query.to().ifPresent(to -> filter.below(History.AT, Time.nanos(to)));
        query.after().ifPresent(cursor -> filter.below(History.SEQ, number(cursor)));
        narrow(statements, filter, query);
        String sql = sql(
                filter.name(),
                dsl -> dsl.select(History.ALL)
                        .from(History.TABLE)
                        .where(filter.condition())
                        .orderBy(History.SEQ.desc())
                        .limit(value(LIMIT)));
        List<Numbered> found = statements.list(
                sql,
                row -> new Numbered(row.number(History.SEQ), HistoryRow.read(row)),
                filter.values(query.limit() + 1L));
        return Page.of(found, query.limit(), line -> new Cursor(line.event.at(), Long.toString(line.number)))
                .map(Numbered::event);
    }

    /** Of many rows in the time, a page is full soon: then only what is later is passed over. */
    private void narrow(Queries statements, Filter filter, EventQuery query) throws SQLException {
        long from = query.from().map(Time::nanos).orElse(Long.MIN_VALUE);
        long to = query.to().map(Time::nanos).orElse(Long.MAX_VALUE);
        if ((from == Long.MIN_VALUE && to == Long.MAX_VALUE) || query.lane().isPresent()) {
            return;
        }
        boolean few = isFew(statements, from, to);
        if (few) {
            filter.that("first", History.SEQ.ge(ofTime(DSL.min(History.SEQ))), from, to);
        }
        if (few || (query.after().isEmpty() && !isFew(statements, to, Long.MAX_VALUE))) {
            filter.that("last", History.SEQ.le(ofTime(DSL.max(History.SEQ))), from, to);
        }
    }

    private boolean isFew(Queries statements, long from, long to) throws SQLException {
        String sql = sql(
                "history.many",
                dsl -> dsl.selectOne()
                        .from(History.TABLE)
                        .where(History.AT.ge(value(History.AT)))
                        .and(History.AT.lt(value(History.AT)))
                        .orderBy(History.AT, History.SEQ)
                        .limit(DSL.inline(1))
                        .offset(value(LIMIT)));
        return statements.number(sql, from, to, FEW) == 0;
    }

    private static Field<Long> ofTime(Field<Long> bound) {
        return DSL.field(DSL.select(bound)
                .from(History.TABLE)
                .where(History.AT.ge(value(History.AT)))
                .and(History.AT.lt(value(History.AT))));
    }

    private record Numbered(long number, LaneEvent event) {}

    private static long number(Cursor cursor) {
        try {
            return Long.parseLong(cursor.id());
        } catch (NumberFormatException e) {
            throw new InvalidRequest("The place to go on from is none of a list of history; begin without.");
        }
    }

    private String sql(String name, Function<DSLContext, ? extends Query> statement) {
        return reader.sql(name, statement);
    }
}
