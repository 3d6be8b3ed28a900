package dev.parley.persistence.sqlite.read;

import static dev.parley.persistence.sqlite.statement.Renderer.value;

import dev.parley.application.port.Lanes;
import dev.parley.domain.change.LaneEvent;
import dev.parley.domain.key.SessionKey;
import dev.parley.domain.session.Lane;
import dev.parley.domain.session.SessionId;
import dev.parley.domain.text.Unicode;
import dev.parley.domain.turn.Hold;
import dev.parley.domain.turn.LifeId;
import dev.parley.persistence.sqlite.row.HistoryRow;
import dev.parley.persistence.sqlite.row.LaneRow;
import dev.parley.persistence.sqlite.statement.Time;
import dev.parley.persistence.sqlite.table.LaneTables;
import dev.parley.persistence.sqlite.table.LaneTables.History;
import dev.parley.persistence.sqlite.table.QueueTables.Holds;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jooq.DSLContext;
import org.jooq.Field;
import org.jooq.Query;
import org.jooq.impl.DSL;
import org.jooq.impl.SQLDataType;

/** Reads lanes: one row by its key, however many there are. */
public final class SqliteLanes implements Lanes {
    private static final Field<Long> LIMIT = DSL.field("limit", SQLDataType.BIGINT);

    private final Reader reader;

    /** Reads through this reader. */
    public SqliteLanes(Reader reader) {
        this.reader = reader;
    }

    @Override
    public void forEach(Consumer<Lane> each) {
        String sql = sql(
                "lanes.all",
                dsl -> dsl.select(LaneTables.Lanes.ALL)
                        .from(LaneTables.Lanes.TABLE)
                        .orderBy(LaneTables.Lanes.LANE));
        reader.read(statements -> {
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
        return reader.readOne(
                LaneTables.Lanes.TABLE,
                statements -> statements.first(sql, LaneRow::read, Unicode.wellFormed(key.value())));
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
        return reader.readOne(
                LaneTables.Lanes.TABLE, statements -> statements.first(sql, LaneRow::read, session.value()));
    }

    @Override
    public Hold hold(SessionKey key) {
        String sql = sql(
                "holds.find",
                dsl -> dsl.select(Holds.ALL).from(Holds.TABLE).where(Holds.LANE.eq(value(Holds.LANE))));
        return reader.readOne(
                        Holds.TABLE,
                        statements -> statements.first(
                                sql,
                                row -> new Hold(row.optional(Holds.HOLDER).map(LifeId::new), row.number(Holds.TOKEN)),
                                Unicode.wellFormed(key.value())))
                .orElse(Hold.NONE);
    }

    @Override
    public long count() {
        String sql = sql("lanes.count", dsl -> dsl.selectCount().from(LaneTables.Lanes.TABLE));
        return reader.readOne(LaneTables.Lanes.TABLE, statements -> statements.number(sql));
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
        return reader.readOne(
                History.TABLE,
                statements ->
                        statements.list(sql, HistoryRow::read, Unicode.wellFormed(key.value()), Math.max(0, limit)));
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
        reader.read(statements -> {
            statements.each(sql, row -> each.accept(HistoryRow.read(row)), from, from);
            return true;
        });
    }

    private String sql(String name, Function<DSLContext, ? extends Query> statement) {
        return reader.renderer().sql(name, statement);
    }
}
