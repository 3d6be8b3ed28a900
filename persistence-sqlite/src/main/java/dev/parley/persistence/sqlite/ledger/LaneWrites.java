package dev.parley.persistence.sqlite.ledger;

import static dev.parley.persistence.sql.statement.Renderer.nothing;
import static dev.parley.persistence.sql.statement.Renderer.value;

import dev.parley.persistence.sql.statement.Renderer;
import dev.parley.persistence.sql.table.LaneTables.History;
import dev.parley.persistence.sql.table.LaneTables.Lanes;
import java.sql.SQLException;
import java.util.List;
import java.util.OptionalLong;
import org.jooq.DSLContext;
import org.jooq.Field;
import org.jooq.Query;
import org.jooq.impl.DSL;
import org.jspecify.annotations.Nullable;

/** Writes lanes and their histories. Each statement touches one row by its key, however many lanes there are. */
final class LaneWrites {
    private static final List<Field<?>> HISTORY = History.ALL.subList(1, History.ALL.size());

    private final Writer writer;

    LaneWrites(Writer writer) {
        this.writer = writer;
    }

    /** Returns the lane's epoch; absent where there is no lane. */
    OptionalLong epoch(String lane) throws SQLException {
        return writer.statements()
                .first(
                        writer.renderer()
                                .sql(
                                        "lane.epoch",
                                        dsl -> dsl.select(Lanes.EPOCH)
                                                .from(Lanes.TABLE)
                                                .where(Lanes.LANE.eq(value(Lanes.LANE)))),
                        row -> OptionalLong.of(row.number(Lanes.EPOCH)),
                        lane)
                .orElse(OptionalLong.empty());
    }

    /** Returns whether any lane's current session is this one. */
    boolean isCurrent(String session) throws SQLException {
        return writer.statements()
                .any(
                        writer.renderer()
                                .sql(
                                        "lane.current",
                                        dsl -> dsl.selectOne()
                                                .from(Lanes.TABLE)
                                                .where(Lanes.SESSION_ID.eq(value(Lanes.SESSION_ID)))
                                                .orderBy(Lanes.LANE)
                                                .limit(DSL.inline(1))),
                        session);
    }

    void put(@Nullable Object[] row) throws SQLException {
        writer.put(
                writer.renderer().sql("lane.update", LaneWrites::update),
                writer.renderer()
                        .sql(
                                "lane.insert",
                                dsl -> dsl.insertInto(Lanes.TABLE, Lanes.ALL).values(Renderer.values(Lanes.ALL))),
                row,
                0);
    }

    private static Query update(DSLContext dsl) {
        return Updates.allButKey(dsl, Lanes.TABLE, Lanes.ALL, Lanes.LANE);
    }

    void touch(Encoding.LaneTouch touch) throws SQLException {
        int updated = writer.statements()
                .update(
                        writer.renderer().sql("lane.touch", LaneWrites::touch),
                        touch.at(),
                        room(touch.tokens().input()),
                        touch.tokens().input(),
                        room(touch.tokens().output()),
                        touch.tokens().output(),
                        room(touch.tokens().cacheRead()),
                        touch.tokens().cacheRead(),
                        room(touch.tokens().cacheWrite()),
                        touch.tokens().cacheWrite(),
                        room(touch.tokens().reasoning()),
                        touch.tokens().reasoning(),
                        room(touch.tokens().total()),
                        touch.tokens().total(),
                        touch.costUsd(),
                        touch.lastPromptTokens().orElse(null),
                        touch.lane(),
                        touch.session());
        if (updated > 0 && touch.clears().isPresent()) {
            Encoding.LaneTouch.Mark mark = touch.clears().get();
            writer.statements()
                    .update(
                            writer.renderer().sql("lane.clear", LaneWrites::clear),
                            touch.lane(),
                            mark.reason(),
                            mark.markedAt());
        }
    }

    /** Returns the greatest count that so many can be added to; SQLite would go on with a sum that is no whole number any more. */
    private static long room(long more) {
        return Long.MAX_VALUE - Math.max(0, more);
    }

    private static Query touch(DSLContext dsl) {
        return dsl.update(Lanes.TABLE)
                .set(Lanes.UPDATED_AT, DSL.greatest(Lanes.UPDATED_AT, value(Lanes.UPDATED_AT)))
                .set(Lanes.INPUT_TOKENS, raised(Lanes.INPUT_TOKENS))
                .set(Lanes.OUTPUT_TOKENS, raised(Lanes.OUTPUT_TOKENS))
                .set(Lanes.CACHE_READ_TOKENS, raised(Lanes.CACHE_READ_TOKENS))
                .set(Lanes.CACHE_WRITE_TOKENS, raised(Lanes.CACHE_WRITE_TOKENS))
                .set(Lanes.REASONING_TOKENS, raised(Lanes.REASONING_TOKENS))
                .set(Lanes.TOTAL_TOKENS, raised(Lanes.TOTAL_TOKENS))
                .set(Lanes.ESTIMATED_COST_USD, Lanes.ESTIMATED_COST_USD.plus(value(Lanes.ESTIMATED_COST_USD)))
                .set(Lanes.LAST_PROMPT_TOKENS, DSL.coalesce(value(Lanes.LAST_PROMPT_TOKENS), Lanes.LAST_PROMPT_TOKENS))
                .set(Lanes.EXPIRY_FINALIZED, DSL.inline(false))
                .where(Lanes.LANE.eq(value(Lanes.LANE)))
                .and(Lanes.SESSION_ID.eq(value(Lanes.SESSION_ID)));
    }

    /** A counter with something added, at most {@link Long#MAX_VALUE}: binds how far it may have come before, then what is added. */
    private static Field<Long> raised(Field<Long> counter) {
        return DSL.least(counter, value(counter)).plus(value(counter));
    }

    private static Query clear(DSLContext dsl) {
        return dsl.update(Lanes.TABLE)
                .set(Lanes.RESUME_PENDING, DSL.inline(false))
                .set(Lanes.RESUME_REASON, nothing(Lanes.RESUME_REASON))
                .set(Lanes.RESUME_MARKED_AT, nothing(Lanes.RESUME_MARKED_AT))
                .where(Lanes.LANE.eq(value(Lanes.LANE)))
                .and(Lanes.SUSPENDED.eq(DSL.inline(false)))
                .and(Lanes.RESUME_PENDING.eq(DSL.inline(true)))
                .and(Lanes.RESUME_REASON.isNotDistinctFrom(value(Lanes.RESUME_REASON)))
                .and(Lanes.RESUME_MARKED_AT.isNotDistinctFrom(value(Lanes.RESUME_MARKED_AT)));
    }

    void remove(String lane) throws SQLException {
        writer.statements()
                .update(
                        writer.renderer()
                                .sql(
                                        "lane.remove",
                                        dsl -> dsl.deleteFrom(Lanes.TABLE).where(Lanes.LANE.eq(value(Lanes.LANE)))),
                        lane);
    }

    void appendHistory(@Nullable Object[] row) throws SQLException {
        writer.statements()
                .update(
                        writer.renderer()
                                .sql(
                                        "history.insert",
                                        dsl -> dsl.insertInto(History.TABLE, HISTORY)
                                                .values(Renderer.values(HISTORY))),
                        row);
    }
}
