package dev.parley.persistence.sqlite.ledger;

import static dev.parley.persistence.sql.statement.Renderer.value;

import dev.parley.domain.text.Unicode;
import dev.parley.domain.turn.Hold;
import dev.parley.domain.turn.LifeId;
import dev.parley.domain.usage.UsageSlot;
import dev.parley.persistence.sql.row.UsageRow;
import dev.parley.persistence.sql.statement.Renderer;
import dev.parley.persistence.sql.statement.Time;
import dev.parley.persistence.sql.table.QueueTables.Cursors;
import dev.parley.persistence.sql.table.QueueTables.Holds;
import dev.parley.persistence.sql.table.QueueTables.UsageSlots;
import java.sql.SQLException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.jooq.DSLContext;
import org.jooq.Field;
import org.jooq.Query;
import org.jspecify.annotations.Nullable;

/** Writes what gateways keep beside conversations: how far platforms were read, who holds which lane, and what was used. */
final class UpkeepWrites {
    private final Writer writer;

    UpkeepWrites(Writer writer) {
        this.writer = writer;
    }

    void putCursor(String platform, String account, String name, Optional<String> value) throws SQLException {
        if (value.isEmpty()) {
            writer.statements()
                    .update(
                            sql(
                                    "cursor.delete",
                                    dsl -> dsl.deleteFrom(Cursors.TABLE)
                                            .where(Cursors.PLATFORM.eq(value(Cursors.PLATFORM)))
                                            .and(Cursors.ACCOUNT.eq(value(Cursors.ACCOUNT)))
                                            .and(Cursors.NAME.eq(value(Cursors.NAME)))),
                            platform,
                            account,
                            name);
            return;
        }
        int updated = writer.statements()
                .update(
                        sql(
                                "cursor.update",
                                dsl -> dsl.update(Cursors.TABLE)
                                        .set(Cursors.VALUE, value(Cursors.VALUE))
                                        .where(Cursors.PLATFORM.eq(value(Cursors.PLATFORM)))
                                        .and(Cursors.ACCOUNT.eq(value(Cursors.ACCOUNT)))
                                        .and(Cursors.NAME.eq(value(Cursors.NAME)))),
                        value.get(),
                        platform,
                        account,
                        name);
        if (updated == 0) {
            writer.statements()
                    .update(
                            sql(
                                    "cursor.insert",
                                    dsl -> dsl.insertInto(Cursors.TABLE, Cursors.ALL)
                                            .values(Renderer.values(Cursors.ALL))),
                            platform,
                            account,
                            name,
                            value.get());
        }
    }

    Hold hold(String lane) throws SQLException {
        return find(lane).orElse(Hold.NONE);
    }

    private Optional<Hold> find(String lane) throws SQLException {
        return writer.statements()
                .first(
                        sql(
                                "hold.find",
                                dsl -> dsl.select(Holds.HOLDER, Holds.TOKEN)
                                        .from(Holds.TABLE)
                                        .where(Holds.LANE.eq(value(Holds.LANE)))),
                        row -> new Hold(row.optional(Holds.HOLDER).map(LifeId::new), row.number(Holds.TOKEN)),
                        lane);
    }

    /** Changes who holds a lane; a lane that nobody ever took is stored only once somebody takes it. */
    void hold(String lane, UnaryOperator<Hold> change) throws SQLException {
        Optional<Hold> before = find(lane);
        Hold after = change.apply(before.orElse(Hold.NONE));
        @Nullable
        String holder =
                after.holder().map(life -> Unicode.wellFormed(life.value())).orElse(null);
        if (before.isPresent()) {
            writer.statements()
                    .update(
                            sql(
                                    "hold.update",
                                    dsl -> dsl.update(Holds.TABLE)
                                            .set(Holds.HOLDER, value(Holds.HOLDER))
                                            .set(Holds.TOKEN, value(Holds.TOKEN))
                                            .where(Holds.LANE.eq(value(Holds.LANE)))),
                            holder,
                            after.token(),
                            lane);
        } else if (after.holder().isPresent()) {
            writer.statements()
                    .update(
                            sql(
                                    "hold.insert",
                                    dsl -> dsl.insertInto(Holds.TABLE, Holds.ALL)
                                            .values(Renderer.values(Holds.ALL))),
                            lane,
                            holder,
                            after.token());
        }
    }

    void putUsage(UsageSlot slot) throws SQLException {
        use(slot.key(), kept -> slot);
    }

    /** Changes a slot, which begins empty. */
    void use(UsageSlot.Key key, UnaryOperator<UsageSlot> change) throws SQLException {
        long start = Time.nanos(key.start());
        String source = Unicode.wellFormed(key.source());
        String model = Unicode.wellFormed(key.model());
        Optional<UsageSlot> before = writer.statements()
                .first(
                        sql(
                                "usage.find",
                                dsl -> dsl.select(UsageSlots.ALL)
                                        .from(UsageSlots.TABLE)
                                        .where(UsageSlots.SLOT.eq(value(UsageSlots.SLOT)))
                                        .and(UsageSlots.SOURCE.eq(value(UsageSlots.SOURCE)))
                                        .and(UsageSlots.MODEL.eq(value(UsageSlots.MODEL)))),
                        UsageRow::read,
                        start,
                        source,
                        model);
        @Nullable Object[] row = UsageRow.values(change.apply(before.orElse(UsageSlot.empty(key))));
        if (before.isEmpty()) {
            writer.statements()
                    .update(
                            sql(
                                    "usage.insert",
                                    dsl -> dsl.insertInto(UsageSlots.TABLE, UsageSlots.ALL)
                                            .values(Renderer.values(UsageSlots.ALL))),
                            row);
            return;
        }
        @Nullable Object[] keyLast = new @Nullable Object[row.length];
        System.arraycopy(row, 3, keyLast, 0, row.length - 3);
        System.arraycopy(row, 0, keyLast, row.length - 3, 3);
        writer.statements().update(sql("usage.update", UpkeepWrites::updateUsage), keyLast);
    }

    private static Query updateUsage(DSLContext dsl) {
        Map<Field<?>, Object> places = new LinkedHashMap<>();
        List<Field<?>> counts = UsageSlots.ALL.subList(3, UsageSlots.ALL.size());
        counts.forEach(column -> places.put(column, value(column)));
        return dsl.update(UsageSlots.TABLE)
                .set(places)
                .where(UsageSlots.SLOT.eq(value(UsageSlots.SLOT)))
                .and(UsageSlots.SOURCE.eq(value(UsageSlots.SOURCE)))
                .and(UsageSlots.MODEL.eq(value(UsageSlots.MODEL)));
    }

    private String sql(String name, Function<DSLContext, ? extends Query> statement) {
        return writer.renderer().sql(name, statement);
    }
}
