package dev.parley.persistence.sqlite.ledger;

import static dev.parley.persistence.sql.statement.Renderer.value;

import dev.parley.domain.change.Change;
import dev.parley.domain.text.Unicode;
import dev.parley.domain.turn.PlatformMessage;
import dev.parley.domain.usage.UsageSlot;
import dev.parley.persistence.sql.statement.Renderer;
import dev.parley.persistence.sql.table.QueueTables.Inbounds;
import dev.parley.persistence.sql.table.QueueTables.Outgoings;
import dev.parley.persistence.sql.table.QueueTables.Turns;
import dev.parley.persistence.sqlite.table.OrdinalTable;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.jooq.DSLContext;
import org.jooq.Field;
import org.jooq.Query;
import org.jooq.Record;
import org.jooq.Table;
import org.jooq.impl.DSL;
import org.jspecify.annotations.Nullable;

/** Writes what was received, run and sent. */
final class QueueWrites {
    private static final String CLAIMED = "claimed";
    private static final String ADMITTED = "admitted";

    private final Writer writer;

    QueueWrites(Writer writer) {
        this.writer = writer;
    }

    boolean isReceived(PlatformMessage message) throws SQLException {
        return writer.statements()
                .any(
                        sql(
                                "inbound.received",
                                dsl -> dsl.selectOne()
                                        .from(Inbounds.TABLE)
                                        .where(Inbounds.PLATFORM.eq(value(Inbounds.PLATFORM)))
                                        .and(Inbounds.CHAT_ID.eq(value(Inbounds.CHAT_ID)))
                                        .and(Inbounds.MESSAGE_ID.eq(value(Inbounds.MESSAGE_ID)))),
                        Unicode.wellFormed(message.platform().name()),
                        Unicode.wellFormed(message.chatId()),
                        Unicode.wellFormed(message.messageId()));
    }

    boolean isAdmitted(String inbound) throws SQLException {
        return writer.statements()
                .any(
                        sql(
                                "inbound.admitted",
                                dsl -> dsl.selectOne()
                                        .from(Inbounds.TABLE)
                                        .where(Inbounds.ID.eq(value(Inbounds.ID)))
                                        .and(Inbounds.STATE.eq(DSL.inline(ADMITTED)))),
                        inbound);
    }

    private boolean isClaimed(String turn) throws SQLException {
        return writer.statements()
                .any(
                        sql(
                                "turn.open",
                                dsl -> dsl.selectOne()
                                        .from(Turns.TABLE)
                                        .where(Turns.ID.eq(value(Turns.ID)))
                                        .and(Turns.STATE.eq(DSL.inline(CLAIMED)))),
                        turn);
    }

    boolean isClaimed(String turn, String run) throws SQLException {
        return writer.statements()
                .any(
                        sql(
                                "turn.claimed",
                                dsl -> dsl.selectOne()
                                        .from(Turns.TABLE)
                                        .where(Turns.ID.eq(value(Turns.ID)))
                                        .and(Turns.RUN.eq(value(Turns.RUN)))
                                        .and(Turns.STATE.eq(DSL.inline(CLAIMED)))),
                        turn,
                        run);
    }

    void putInbound(@Nullable Object[] row, String lane, long ordinal) throws SQLException {
        put("inbound", Inbounds.TABLE, Inbounds.ALL, Inbounds.ID, row);
        int raised = writer.statements()
                .update(
                        sql(
                                "ordinal.update",
                                dsl -> dsl.update(OrdinalTable.TABLE)
                                        .set(
                                                OrdinalTable.LAST,
                                                DSL.greatest(OrdinalTable.LAST, value(OrdinalTable.LAST)))
                                        .where(OrdinalTable.LANE.eq(value(OrdinalTable.LANE)))),
                        ordinal,
                        lane);
        if (raised == 0) {
            writer.statements()
                    .update(
                            sql(
                                    "ordinal.insert",
                                    dsl -> dsl.insertInto(OrdinalTable.TABLE, OrdinalTable.ALL)
                                            .values(Renderer.values(OrdinalTable.ALL))),
                            lane,
                            ordinal);
        }
    }

    /** Returns the greatest ordinal ever given in a lane, or 0. */
    long lastOrdinal(String lane) throws SQLException {
        return writer.statements()
                .number(
                        sql(
                                "ordinal.last",
                                dsl -> dsl.select(OrdinalTable.LAST)
                                        .from(OrdinalTable.TABLE)
                                        .where(OrdinalTable.LANE.eq(value(OrdinalTable.LANE)))),
                        lane);
    }

    void putTurn(@Nullable Object[] row, Change.PutTurn change) throws SQLException {
        if (change.turn().endedAt().isPresent()
                && isClaimed(Unicode.wellFormed(change.turn().id().value()))) {
            Optional<UsageSlot.Key> slot =
                    writer.sessions().slot(change.turn().session().value(), change::slot);
            if (slot.isPresent()) {
                writer.upkeep().use(slot.get(), UsageSlot::plusTurn);
            }
        }
        put("turn", Turns.TABLE, Turns.ALL, Turns.ID, row);
    }

    void putOutgoing(@Nullable Object[] row) throws SQLException {
        put("outgoing", Outgoings.TABLE, Outgoings.ALL, Outgoings.ID, row);
    }

    /** Puts a row whose number the database makes and whose id is its second column. */
    private void put(String name, Table<Record> table, List<Field<?>> all, Field<String> id, @Nullable Object[] row)
            throws SQLException {
        List<Field<?>> columns = all.subList(1, all.size());
        writer.put(
                sql(name + ".update", dsl -> Updates.allButKey(dsl, table, columns, id)),
                sql(name + ".insert", dsl -> dsl.insertInto(table, columns).values(Renderer.values(columns))),
                row,
                0);
    }

    void forget(long before) throws SQLException {
        writer.statements()
                .update(
                        sql(
                                "turn.forget",
                                dsl -> dsl.deleteFrom(Turns.TABLE)
                                        .where(Turns.ENDED_AT.lt(value(Turns.ENDED_AT)))
                                        .and(Turns.STATE.ne(DSL.inline(CLAIMED)))),
                        before);
        writer.statements()
                .update(
                        sql(
                                "inbound.forget",
                                dsl -> dsl.deleteFrom(Inbounds.TABLE)
                                        .where(Inbounds.RECEIVED_AT.lt(value(Inbounds.RECEIVED_AT)))
                                        .and(Inbounds.STATE.in(DSL.inline("done"), DSL.inline("dropped")))),
                        before);
        writer.statements()
                .update(
                        sql(
                                "outgoing.forget",
                                dsl -> dsl.deleteFrom(Outgoings.TABLE)
                                        .where(Outgoings.CREATED_AT.lt(value(Outgoings.CREATED_AT)))
                                        .and(Outgoings.STATE.in(DSL.inline("delivered"), DSL.inline("expired")))),
                        before);
    }

    private String sql(String name, Function<DSLContext, ? extends Query> statement) {
        return writer.renderer().sql(name, statement);
    }
}
